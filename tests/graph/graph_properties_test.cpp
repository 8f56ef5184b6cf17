// What holds for W of every family, size and weighting.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Eigenvalues>

#include "driftless/graph/families.hpp"
#include "driftless/graph/spectrum.hpp"
#include "driftless/graph/weights.hpp"

namespace driftless {
namespace {

TopologyOptions any_topology() {
  const auto families = graph_families();
  const auto& family = families[*rc::gen::inRange<std::size_t>(0, families.size())];
  NodeId nodes = *rc::gen::inRange<NodeId>(1, 60);
  if (family.name == "hypercube") nodes = 1 << (nodes % 7);
  return {.family = std::string(family.name),
          .nodes = nodes,
          .seed = *rc::gen::arbitrary<std::uint64_t>()};
}

Weights any_weights() {
  const auto& table = values_of<Weights>;
  return table[*rc::gen::inRange<std::size_t>(0, table.size())].value;
}

RC_GTEST_PROP(MixingProperties, AreSymmetricDoublyStochasticAndConnected, ()) {
  const Graph graph = make_graph(any_topology());
  RC_ASSERT(graph.is_connected());
  const MixingMatrix mixing = make_mixing(graph, any_weights());
  const Eigen::MatrixXd dense = mixing.to_dense();
  RC_ASSERT(dense == dense.transpose());
  RC_ASSERT(dense.minCoeff() >= 0);
  RC_ASSERT((dense.rowwise().sum().array() - 1).abs().maxCoeff() <= 1e-14);
  RC_ASSERT(mixing.edges() == graph.edges());
  for (NodeId i = 0; i < graph.nodes(); ++i) {
    RC_ASSERT(mixing.degree(i) == graph.degree(i));
    RC_ASSERT(mixing.self_weight(i) == dense(i, i));
    for (const NodeId j : graph.neighbours(i)) RC_ASSERT(dense(i, j) > 0);
  }
}

RC_GTEST_PROP(MixingProperties, LazyHalvesTheDistanceOfEveryEigenvalueToOne, ()) {
  const MixingMatrix mixing = make_mixing(make_graph(any_topology()), Weights::metropolis);
  RC_PRE(mixing.nodes() > 1);
  const Spectrum plain = spectrum(mixing);
  const Spectrum lazy = spectrum(mixing.lazy());
  RC_ASSERT(std::abs(lazy.lambda2 - (1 + plain.lambda2) / 2) <= 1e-13);
  RC_ASSERT(std::abs(lazy.lambda_min - (1 + plain.lambda_min) / 2) <= 1e-13);
}

RC_GTEST_PROP(MixingProperties, OneRoundShrinksTheConsensusDistanceByPOrMore, ()) {
  const MixingMatrix mixing = make_mixing(make_graph(any_topology()), any_weights());
  const NodeId n = mixing.nodes();
  Eigen::VectorXd x(n);
  for (NodeId i = 0; i < n; ++i) x[i] = *rc::gen::inRange(-1000, 1000);
  x.array() -= x.mean();
  const double after = (mixing.to_dense() * x).squaredNorm();
  RC_ASSERT(after <= (1 - spectrum(mixing).p) * x.squaredNorm() + 1e-9);
}

RC_GTEST_PROP(MixingProperties, DenseAndSparseSpectraAgree, ()) {
  const MixingMatrix mixing = make_mixing(make_graph(any_topology()), any_weights());
  RC_PRE(mixing.nodes() > 1);
  const Spectrum dense = detail::dense_spectrum(mixing);
  const Spectrum sparse = detail::sparse_spectrum(mixing);
  RC_ASSERT(std::abs(dense.lambda2 - sparse.lambda2) <= 1e-8);
  RC_ASSERT(std::abs(dense.lambda_min - sparse.lambda_min) <= 1e-8);
  RC_ASSERT(std::abs(dense.gap / sparse.gap - 1) <= 1e-7);
}

RC_GTEST_PROP(GraphProperties, AreAPureFunctionOfTheOptions, ()) {
  const TopologyOptions options = any_topology();
  const Graph first = make_graph(options);
  const Graph second = make_graph(resolve_topology(options));
  RC_ASSERT(first.edges() == second.edges());
  for (NodeId i = 0; i < first.nodes(); ++i) {
    const auto one = first.neighbours(i);
    const auto other = second.neighbours(i);
    RC_ASSERT(std::vector<NodeId>(one.begin(), one.end()) ==
              std::vector<NodeId>(other.begin(), other.end()));
  }
}

}  // namespace
}  // namespace driftless
