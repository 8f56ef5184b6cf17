#include <Eigen/Eigenvalues>
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/graph/lanczos.hpp"
#include "driftless/graph/sequence_mixing.hpp"
#include "driftless/graph/sparse_cholesky.hpp"
#include "driftless/graph/spectrum.hpp"

// p is the smallest eigenvalue but the 0 of the all-ones vector of
//   D = I − E[W_t²] = a (2 L − a L² − 2 (1 − a) S)    with S = Σ_e w_e² L_e and a = 1 − drop.

namespace driftless {
namespace {

constexpr NodeId most_nodes_of_dense = 500;

// y ← D x. Differences of neighbours are taken first, which keeps the digits of a tiny p.
SymmetricOperator product_with_d(const MixingMatrix& mixing, double drop) {
  return [&mixing, up = 1 - drop, drop, once = Vector<double>(mixing.nodes())](
             const ConstVectorView<double>& x, VectorView<double> y) mutable {
    for (NodeId i = 0; i < mixing.nodes(); ++i) {
      const auto [nodes, weights] = mixing.row(i);
      double laplacian = 0;
      double squares = 0;
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        const double flow = weights[k] * (x[i] - x[nodes[k]]);
        laplacian += flow;
        squares += weights[k] * flow;
      }
      once[i] = laplacian;
      y[i] = 2 * up * (laplacian - drop * squares);
    }
    for (NodeId i = 0; i < mixing.nodes(); ++i) {
      const auto [nodes, weights] = mixing.row(i);
      double twice = 0;
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        twice += weights[k] * (once[i] - once[nodes[k]]);
      }
      y[i] -= up * up * twice;
    }
  };
}

// D without node 0; nothing if neighbours of neighbours are too many.
std::optional<SparseMatrix> d_without_a_node(const MixingMatrix& mixing, double drop) {
  constexpr double most_entries = 2e7;
  const NodeId n = mixing.nodes();
  double entries = 0;
  for (NodeId i = 0; i < n; ++i) entries += (mixing.degree(i) + 1.0) * (mixing.degree(i) + 1.0);
  if (entries > most_entries) return std::nullopt;

  SparseEntries laplacian_entries;
  SparseEntries square_entries;
  for (NodeId i = 0; i < n; ++i) {
    const auto [nodes, weights] = mixing.row(i);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (nodes[k] == i) continue;
      const double weight = weights[k];
      laplacian_entries.emplace_back(i, nodes[k], -weight);
      laplacian_entries.emplace_back(i, i, weight);
      square_entries.emplace_back(i, nodes[k], -weight * weight);
      square_entries.emplace_back(i, i, weight * weight);
    }
  }
  const SparseMatrix laplacian = square_matrix(n, laplacian_entries);
  const SparseMatrix squares = square_matrix(n, square_entries);
  const double up = 1 - drop;
  const SparseMatrix twice = laplacian * laplacian;
  const SparseMatrix whole = up * (2 * laplacian - up * twice - 2 * drop * squares);
  return SparseMatrix(whole.bottomRightCorner(n - 1, n - 1));
}

// On vectors of zero mean, solving with node 0 held at 0 inverts D up to a constant, which is
// removed with the mean.
std::optional<double> p_by_inverse(const MixingMatrix& mixing, double drop) {
  constexpr double accuracy = 1e-7;
  const NodeId n = mixing.nodes();
  const std::optional<SparseMatrix> matrix = d_without_a_node(mixing, drop);
  SparseCholesky cholesky;
  if (!matrix || !cholesky.factor(*matrix)) return std::nullopt;
  const auto inverse = [&](const ConstVectorView<double>& x, VectorView<double> y) {
    const Vector<double> solution = cholesky.solve(x.tail(n - 1));
    y << 0, solution;
    y.array() -= y.mean();
  };
  return 1 / largest_eigenvalue(inverse, n, accuracy);
}

}  // namespace

double detail::dense_expected_p(const MixingMatrix& mixing, double drop) {
  const NodeId n = mixing.nodes();
  const double up = 1 - drop;
  Eigen::MatrixXd weights = mixing.to_dense();
  weights.diagonal().setZero();
  const Eigen::MatrixXd squares = weights.cwiseAbs2();
  const auto laplacian_of = [](const Eigen::MatrixXd& links) {
    Eigen::MatrixXd laplacian = -links;
    laplacian.diagonal() = links.rowwise().sum();
    return laplacian;
  };
  const Eigen::MatrixXd laplacian = laplacian_of(weights);
  Eigen::MatrixXd d =
      up * (2 * laplacian - up * laplacian * laplacian - 2 * drop * laplacian_of(squares));
  d.array() += 1.0 / n;  // lifts the 0 of the all-ones vector to 1, which no other exceeds
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(d, Eigen::EigenvaluesOnly);
  return std::clamp(solver.eigenvalues()(0), 0.0, 1.0);
}

// As for the spectrum of W: a few hundred products do for an expander, and where they do not, the
// graph is a ring, a grid or a tree, whose factors are sparse.
double detail::sparse_expected_p(const MixingMatrix& mixing, double drop) {
  constexpr double accuracy = 1e-8;
  constexpr int few_steps = 600;
  constexpr int many_steps = 10'000;
  const auto enough = [](const RitzValue& lowest, const RitzValue&) {
    return lowest.change <= accuracy * lowest.value;
  };
  Lanczos lanczos(product_with_d(mixing, drop), mixing.nodes());
  if (!lanczos.run(few_steps, enough)) {
    if (const auto p = p_by_inverse(mixing, drop)) return std::clamp(*p, 0.0, 1.0);
    lanczos.run(many_steps, enough);
  }
  return std::clamp(lanczos.lowest().value, 0.0, 1.0);
}

double expected_p(const MixingMatrix& mixing, double drop) {
  if (!(drop >= 0 && drop <= 1)) {
    throw ConfigError("found drop {}, expected 0 to 1", drop);
  }
  if (mixing.nodes() == 1) return 1;
  if (drop == 0) return spectrum(mixing).p;
  if (drop == 1) return 0;
  return mixing.nodes() <= most_nodes_of_dense ? detail::dense_expected_p(mixing, drop)
                                               : detail::sparse_expected_p(mixing, drop);
}

}  // namespace driftless
