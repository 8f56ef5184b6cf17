#include "tests/support/instance.hpp"

#include <ostream>

#include "driftless/base/error.hpp"
#include "driftless/base/random.hpp"
#include "driftless/graph/families.hpp"

namespace driftless::testing {

namespace {

// Uniform in (−reach, reach); `what` keeps the vectors of a node apart.
Vector<double> numbers(const Instance& instance, NodeId node, Round what, Index count,
                       double reach) {
  const Draw draw{.seed = instance.seed, .node = node, .round = what};
  Vector<double> values(count);
  for (Index k = 0; k < count; ++k) {
    values[k] =
        reach * (2 * uniform(draw, Purpose::problem_data, static_cast<std::uint64_t>(k)) - 1);
  }
  return values;
}

bool can_have(std::string_view family, NodeId nodes) {
  try {
    resolve_topology({.family = std::string(family), .nodes = nodes});
    return true;
  } catch (const ConfigError&) {
    return false;
  }
}

std::vector<std::string> families_of(NodeId nodes) {
  std::vector<std::string> names;
  for (const GraphFamily& family : graph_families()) {
    if (can_have(family.name, nodes)) names.emplace_back(family.name);
  }
  return names;
}

rc::Gen<double> between(double low, double high) {
  return rc::gen::map(rc::gen::inRange(0, 1001),
                      [=](int part) { return low + (high - low) * part / 1000.0; });
}

}  // namespace

MixingMatrix Instance::mixing() const {
  return make_mixing(make_graph({.family = family, .nodes = nodes, .seed = seed}), weights);
}

LeastSquaresData Instance::data() const {
  LeastSquaresData data;
  for (NodeId i = 0; i < nodes; ++i) {
    const Vector<double> entries = numbers(*this, i, 0, rows * dim, 0.3);
    data.A.emplace_back(LeastSquaresData::Matrix::Identity(rows, dim) +
                        Eigen::Map<const LeastSquaresData::Matrix>(entries.data(), rows, dim));
    data.b.push_back(numbers(*this, i, 1, rows, 2.0));
    if (distinct_starts || i == 0) data.x0.push_back(numbers(*this, i, 2, dim, 2.0));
  }
  return data;
}

std::unique_ptr<Problem<double>> Instance::problem() const {
  return make_least_squares<double>(data(), noise);
}

AlgorithmOptions Instance::options() const {
  return {
      .local_steps = local_steps,
      .local_rate = reach / (local_steps * *problem()->smoothness()),
      .communication_rate = communication_rate,
      .own = {{"initial_correction", gradient_start ? "gradient" : "zero"}, {"global_every", 3}},
      .schedule = {},
      .seed = seed};
}

std::ostream& operator<<(std::ostream& stream, const Instance& i) {
  return stream << i.family << " with " << name_of(i.weights) << " weights, n = " << i.nodes
                << ", d = " << i.dim << ", m = " << i.rows << ", K = " << i.local_steps
                << ", reach = " << i.reach << ", communication_rate = " << i.communication_rate
                << ", noise = " << i.noise << ", " << (i.distinct_starts ? "distinct" : "common")
                << " start, corrections from " << (i.gradient_start ? "gradients" : "zero")
                << ", seed = " << i.seed;
}

rc::Gen<Instance> any_instance() {
  using namespace rc;
  return gen::exec([] {
    Instance instance;
    instance.nodes = *gen::inRange<NodeId>(1, 13);
    instance.family = *gen::elementOf(families_of(instance.nodes));
    instance.weights = *gen::element(Weights::metropolis, Weights::max_degree,
                                     Weights::lazy_metropolis, Weights::lazy_max_degree);
    instance.dim = *gen::inRange<Index>(1, 7);
    instance.rows = *gen::inRange<Index>(1, 9);
    instance.local_steps = *gen::inRange<Step>(1, 6);
    instance.reach = *between(0.05, 0.5);
    instance.communication_rate = *between(0.2, 1.2);
    instance.noise = *gen::element(0.0, 0.1, 1.0);
    instance.distinct_starts = *gen::arbitrary<bool>();
    instance.gradient_start = *gen::arbitrary<bool>();
    instance.seed = *gen::inRange<std::uint64_t>(1, 1'000'000);
    return instance;
  });
}

rc::Gen<Instance> any_instance_with_common_start() {
  return rc::gen::map(any_instance(), [](Instance instance) {
    instance.distinct_starts = false;
    return instance;
  });
}

}  // namespace driftless::testing
