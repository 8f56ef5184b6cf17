#include "driftless/graph/sequence_mixing.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "driftless/graph/lanczos.hpp"
#include "driftless/graph/spectrum.hpp"

namespace driftless {
namespace {

constexpr NodeId most_dense_nodes = 500;

bool has_links(const WeightRows& rows) { return std::ssize(rows.nodes) > rows.size(); }

// Nodes that links join, as links come in.
class JoinedNodes {
 public:
  explicit JoinedNodes(NodeId nodes) : parents_(nodes), sets_(nodes) {
    std::iota(parents_.begin(), parents_.end(), 0);
  }

  NodeId sets() const { return sets_; }
  void join(NodeId a, NodeId b) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    parents_[std::max(a, b)] = std::min(a, b);
    --sets_;
  }
  // The lowest node of its set.
  NodeId root(NodeId i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }

 private:
  std::vector<NodeId> parents_;
  NodeId sets_;
};

// W_t of all rounds of a period. They are kept if they are not too large, and made anew if they
// are.
class RowsOfPeriod {
 public:
  explicit RowsOfPeriod(const LinkSequence& sequence) : sequence_(sequence) {
    constexpr double most_entries = 2e7;
    const double entries =
        static_cast<double>(sequence.period()) * sequence.nodes() * (1.0 + sequence.most_peers());
    if (entries > most_entries) return;
    kept_.resize(static_cast<std::size_t>(sequence.period()));
    for (Round t = 0; t < sequence.period(); ++t) sequence.links(t, kept_[t]);
  }

  const WeightRows& operator[](Round t) {
    if (!kept_.empty()) return kept_[t];
    sequence_.links(t, made_);
    return made_;
  }

 private:
  const LinkSequence& sequence_;
  std::vector<WeightRows> kept_;
  WeightRows made_;
};

// x ← W_t x, by way of `product`.
void mix(const WeightRows& rows, Vector<double>& x, Vector<double>& product) {
  if (!has_links(rows)) return;
  for (NodeId i = 0; i < rows.size(); ++i) {
    double sum = 0;
    for (std::size_t k = rows.start[i]; k < rows.start[i + 1]; ++k) {
      sum += rows.weights[k] * x[rows.nodes[k]];
    }
    product[i] = sum;
  }
  std::swap(x, product);
}

}  // namespace

std::optional<NodeId> never_reached(const LinkSequence& sequence) {
  JoinedNodes joined(sequence.nodes());
  WeightRows rows;
  for (Round t = 0; t < sequence.period() && joined.sets() > 1; ++t) {
    sequence.links(t, rows);
    for (NodeId i = 0; i < rows.size() && has_links(rows); ++i) {
      for (const NodeId j : rows.row(i).nodes) joined.join(i, j);
    }
  }
  if (sequence.period() == 0) return std::nullopt;
  for (NodeId i = 1; i < sequence.nodes() && joined.sets() > 1; ++i) {
    if (joined.root(i) != 0) return i;
  }
  return std::nullopt;
}

PeriodMixing detail::dense_period_mixing(const LinkSequence& sequence) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  constexpr double nothing = 1e-32;
  const NodeId n = sequence.nodes();
  // Begins with I − J, so that all columns have zero mean and keep it.
  Matrix product = Matrix::Identity(n, n).array() - 1.0 / n;
  Matrix next(n, n);
  WeightRows rows;
  for (Round t = 0; t < sequence.period(); ++t) {
    sequence.links(t, rows);
    if (!has_links(rows)) continue;
    next.setZero();
    for (NodeId i = 0; i < n; ++i) {
      const auto [nodes, weights] = rows.row(i);
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        next.row(i) += weights[k] * product.row(nodes[k]);
      }
    }
    std::swap(product, next);
    if (product.squaredNorm() < nothing) return {sequence.period(), 1};
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(product.transpose() * product,
                                                              Eigen::EigenvaluesOnly);
  return {sequence.period(), std::clamp(1 - solver.eigenvalues()(n - 1), 0.0, 1.0)};
}

// The largest eigenvalue of W_0 … W_{T−1} W_{T−1} … W_0 by Lanczos, which approaches it from below.
// Where p is tiny and the nodes are many, it does not come near in time.
PeriodMixing detail::sparse_period_mixing(const LinkSequence& sequence) {
  constexpr double accuracy = 1e-8;
  constexpr double most_work = 4e9;  // some seconds
  const Round period = sequence.period();
  RowsOfPeriod rows(sequence);
  Vector<double> mixed(sequence.nodes());
  Vector<double> scratch(sequence.nodes());
  const auto there_and_back = [&](const ConstVectorView<double>& x, VectorView<double> y) {
    mixed = x;
    for (Round t = 0; t < period; ++t) mix(rows[t], mixed, scratch);
    for (Round t = period - 1; t >= 0; --t) mix(rows[t], mixed, scratch);
    y = mixed;
  };
  const double work_a_step =
      2.0 * static_cast<double>(period) * sequence.nodes() * (1.0 + sequence.most_peers());
  Lanczos lanczos(there_and_back, sequence.nodes());
  const bool found =
      lanczos.run(static_cast<int>(std::clamp(most_work / work_a_step, 20.0, 10'000.0)),
                  [](const RitzValue&, const RitzValue& highest) {
                    return highest.change <= accuracy * (1 - highest.value);
                  });
  return {period, std::clamp(1 - lanczos.highest().value, 0.0, 1.0), !found};
}

PeriodMixing period_mixing(const LinkSequence& sequence) {
  const Round period = sequence.period();
  if (period == 0) return {1, 1 - sequence.expected_square(0)};
  if (sequence.nodes() == 1) return {period, 1};
  if (never_reached(sequence)) return {period, 0};
  if (period == 1) {
    WeightRows rows;
    sequence.links(0, rows);
    return {1, spectrum(MixingMatrix(std::move(rows))).p};
  }
  return sequence.nodes() <= most_dense_nodes ? detail::dense_period_mixing(sequence)
                                              : detail::sparse_period_mixing(sequence);
}

}  // namespace driftless
