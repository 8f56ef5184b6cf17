#include "driftless/graph/spectrum.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cassert>
#include <optional>
#include <vector>

#include "driftless/base/parallel.hpp"
#include "driftless/graph/lanczos.hpp"
#include "driftless/graph/sparse_cholesky.hpp"

namespace driftless {
namespace {

constexpr NodeId max_dense = 500;
// A gap below this loses digits when it is taken as 1 − λ2 or 1 + λn; an inverse gives it directly.
constexpr double tiny_gap = 1e-4;
constexpr double relative_accuracy = 1e-8;
// Solves with the factors of a nearly singular matrix are not much better than this.
constexpr double inverse_accuracy = 1e-7;

// The spectrum of upper = 1 − λ2 and lower = 1 + λn, which keep the digits of a tiny gap.
Spectrum from_gaps(double upper, double lower) {
  const double gap = std::clamp(std::min(upper, lower), 0.0, 1.0);
  return {1 - upper, lower - 1, gap, gap * (2 - gap)};
}

// Whether the graph is bipartite and no node has a weight of its own: exactly then λn = −1.
bool only_swaps(const MixingMatrix& mixing) {
  std::vector<int> colour(mixing.nodes(), 0);
  std::vector<NodeId> frontier{0};
  colour[0] = 1;
  while (!frontier.empty()) {
    const NodeId i = frontier.back();
    frontier.pop_back();
    if (mixing.self_weight(i) > 0) return false;
    for (const NodeId j : mixing.row(i).nodes) {
      if (j == i) continue;
      if (colour[j] == colour[i]) return false;
      if (colour[j] == 0) {
        colour[j] = -colour[i];
        frontier.push_back(j);
      }
    }
  }
  return true;
}

// 1 − λ2, the smallest eigenvalue but 0 of the Laplacian I − W. On vectors of zero mean, solving
// with one node held at 0 inverts the Laplacian up to a constant, which is removed with the mean.
std::optional<double> upper_gap_by_inverse(const MixingMatrix& mixing) {
  const NodeId n = mixing.nodes();
  assert(n > 1);
  NodeId held = 0;  // the busiest: its column fills the factors most
  for (NodeId i = 1; i < n; ++i)
    if (mixing.degree(i) > mixing.degree(held)) held = i;
  const auto place = [held](NodeId i) { return i < held ? i : i - 1; };
  SparseEntries entries;
  for (NodeId i = 0; i < n; ++i) {
    if (i == held) continue;
    const auto [nodes, weights] = mixing.row(i);
    double given = 0;  // 1 − w_ii, without its cancellation
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (nodes[k] == i) continue;
      given += weights[k];
      if (nodes[k] < i && nodes[k] != held) {
        entries.emplace_back(place(i), place(nodes[k]), -weights[k]);
      }
    }
    entries.emplace_back(place(i), place(i), given);
  }
  SparseCholesky cholesky;
  if (!cholesky.factor(square_matrix(n - 1, entries))) return std::nullopt;

  Vector<double> right_side(n - 1);
  Vector<double> solution(n - 1);
  const auto inverse = [&](const ConstVectorView<double>& x, VectorView<double> y) {
    right_side << x.head(held), x.tail(n - 1 - held);
    solution = cholesky.solve(right_side);
    y << solution.head(held), 0, solution.tail(n - 1 - held);
    y.array() -= y.mean();
  };
  return 1 / largest_eigenvalue(inverse, n, inverse_accuracy);
}

// 1 + λn from the inverse of W − shift·I, where shift < λn <= above.
std::optional<double> lower_gap_by_inverse(const MixingMatrix& mixing, double shift, double above) {
  const NodeId n = mixing.nodes();
  SparseEntries entries;
  for (NodeId i = 0; i < n; ++i) {
    const auto [nodes, weights] = mixing.row(i);
    for (std::size_t k = 0; k < nodes.size() && nodes[k] <= i; ++k) {
      entries.emplace_back(i, nodes[k], nodes[k] == i ? weights[k] - shift : weights[k]);
    }
  }
  SparseCholesky cholesky;
  if (!cholesky.factor(square_matrix(n, entries))) return std::nullopt;
  const auto inverse = [&](const ConstVectorView<double>& x, VectorView<double> y) {
    y = cholesky.solve(x);
  };
  // The inverse gives λn − shift only, of which few digits matter if it is small beside 1 + λn.
  const double tolerance = inverse_accuracy * std::max(1.0, (1 + shift) / (above - shift));
  return 1 + shift + 1 / largest_eigenvalue(inverse, n, std::min(tolerance, 0.01));
}

// y ← W x
SymmetricOperator product_with(const MixingMatrix& mixing) {
  return [&mixing](const ConstVectorView<double>& x, VectorView<double> y) {
    parallel(mixing.nodes(), [&](Index node) {
      const auto i = static_cast<NodeId>(node);
      const auto [nodes, weights] = mixing.row(i);
      double sum = 0;
      for (std::size_t k = 0; k < nodes.size(); ++k) sum += weights[k] * x[nodes[k]];
      y[i] = sum;
    });
  };
}

}  // namespace

Spectrum detail::dense_spectrum(const MixingMatrix& mixing) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(mixing.to_dense(),
                                                              Eigen::EigenvaluesOnly);
  double upper = 1 - solver.eigenvalues()(mixing.nodes() - 2);
  double lower = 1 + solver.eigenvalues()(0);
  if (upper < tiny_gap) upper = upper_gap_by_inverse(mixing).value_or(upper);
  if (only_swaps(mixing)) {
    lower = 0;
  } else if (lower < tiny_gap) {
    lower = lower_gap_by_inverse(mixing, -1, lower - 1).value_or(lower);
  }
  return from_gaps(upper, lower);
}

// Lanczos on W finds both ends of a well separated spectrum, that of an expander, in a few hundred
// products. Where it does not, the graph is a ring, a grid or a tree, whose factors are sparse.
Spectrum detail::sparse_spectrum(const MixingMatrix& mixing) {
  constexpr int few_steps = 1200;
  constexpr int many_steps = 10'000;
  const auto upper_found = [](const RitzValue& highest) {
    return highest.change <= relative_accuracy * (1 - highest.value);
  };
  const auto lower_found = [](const RitzValue& lowest) {
    return lowest.change <= relative_accuracy * (1 + lowest.value);
  };
  std::optional<double> upper;  // 1 − λ2 and 1 + λn where they are found without Lanczos
  std::optional<double> lower;
  if (only_swaps(mixing)) lower = 0;
  const auto all_found = [&](const RitzValue& lowest, const RitzValue& highest) {
    return (upper || upper_found(highest)) && (lower || lower_found(lowest));
  };
  Lanczos lanczos(product_with(mixing), mixing.nodes());
  if (!lanczos.run(few_steps, all_found)) {
    const RitzValue lowest = lanczos.lowest();
    if (!upper_found(lanczos.highest())) upper = upper_gap_by_inverse(mixing);
    if (!lower && !lower_found(lowest)) {
      // The closer the shift, the faster; −1 is below λn for certain.
      const double shift = std::max(-1.0, lowest.value - 10 * lowest.change);
      lower = lower_gap_by_inverse(mixing, shift, lowest.value);
      if (!lower) lower = lower_gap_by_inverse(mixing, -1, lowest.value);
    }
    if (!all_found(lowest, lanczos.highest())) lanczos.run(many_steps, all_found);
  }
  return from_gaps(upper.value_or(1 - lanczos.highest().value),
                   lower.value_or(1 + lanczos.lowest().value));
}

Spectrum spectrum(const MixingMatrix& mixing) {
  if (mixing.nodes() == 1) return {};
  return mixing.nodes() <= max_dense ? detail::dense_spectrum(mixing)
                                     : detail::sparse_spectrum(mixing);
}

}  // namespace driftless
