#include "driftless/experiment/data_problem_setup.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "driftless/base/error.hpp"
#include "driftless/data/batches.hpp"
#include "driftless/data/split.hpp"
#include "driftless/problem/data_problem.hpp"
#include "driftless/problem/nn/cnn.hpp"
#include "driftless/problem/nn/logistic.hpp"
#include "driftless/problem/nn/softmax.hpp"

namespace driftless {

namespace {

// "300 100"
std::vector<Index> layer_sizes(const std::string& text) {
  constexpr Index largest = 1'000'000;
  std::vector<Index> sizes;
  std::string_view rest = text;
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (rest.empty()) break;
    Index size = 0;
    const auto [end, error] = std::from_chars(rest.begin(), rest.end(), size);
    const bool whole_word = end == rest.end() || *end == ' ';
    if (error != std::errc() || !whole_word || size < 1 || size > largest) {
      throw ConfigError(
          fmt::format("problem.hidden = \"{}\": expected the units of each hidden layer, from 1 to "
                      "{}, with blanks between them, such as \"300 100\"",
                      text, largest));
    }
    sizes.push_back(size);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.begin()));
  }
  return sizes;
}

}  // namespace

Partition partition_of(const ExperimentConfig& config, const Dataset& train, NodeId nodes) {
  const ProblemConfig& problem = config.problem;
  try {
    return make_split(train, nodes,
                      {.split = split_from_name(problem.split),
                       .alpha = problem.alpha,
                       .shards = problem.shards,
                       .seed = config.run.seed});
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("problem.split = \"{}\" over network.nodes = {}: {}",
                                  problem.split, nodes, error.what()));
  }
}

RunProblem make_data_problem(const ExperimentConfig& config,
                             std::shared_ptr<const LabelledData> data, NodeId nodes) {
  const ProblemConfig& problem = config.problem;
  Partition partition = partition_of(config, data->train, nodes);
  const Batches batches(problem.batch, sampling_from_name(problem.sampling),
                        config.algorithm.local_steps);
  const DataProblemOptions options{
      .l2 = problem.l2, .nonconvex = problem.nonconvex, .seed = config.run.seed};
  const auto with = [&]<class Real>(std::unique_ptr<const Model<Real>> model) -> RunProblem {
    return std::make_unique<DataProblem<Real>>(data, std::move(model), std::move(partition),
                                               batches, options);
  };
  using FloatModel = std::unique_ptr<const Model<float>>;
  using DoubleModel = std::unique_ptr<const Model<double>>;
  const Dataset& train = data->train;
  if (problem.kind == "cnn") return with(FloatModel(std::make_unique<Cnn>(train)));
  if (problem.kind == "mlp") {
    return with(FloatModel(std::make_unique<Mlp<float>>(train, layer_sizes(problem.hidden))));
  }
  if (problem.kind == "softmax") return with(DoubleModel(std::make_unique<Softmax<double>>(train)));
  return with(DoubleModel(std::make_unique<Logistic<double>>(train)));
}

}  // namespace driftless
