#include "driftless/experiment/setup.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/base/error.hpp"
#include "driftless/graph/edge_list.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/matrix_market.hpp"
#include "driftless/graph/weights.hpp"

namespace driftless {

namespace {

MixingMatrix build_mixing(const NetworkConfig& network, std::optional<NodeId> nodes) {
  const auto check = [&](NodeId found) {
    if (nodes && *nodes != found) {
      throw ConfigError(fmt::format("{}: has {} nodes, but the experiment has {}",
                                    network.file.string(), found, *nodes));
    }
  };
  if (network.file.extension() == ".mtx") {
    MixingMatrix mixing = read_mixing_matrix(network.file);
    check(mixing.nodes());
    return mixing;
  }
  const Weights weights = weights_from_name(network.weights);
  if (!network.file.empty()) {
    const Graph graph = read_edge_list(network.file, nodes);
    check(graph.nodes());
    return make_mixing(graph, weights);
  }
  return make_mixing(make_graph({.family = network.topology,
                                 .nodes = *nodes,
                                 .rows = network.rows,
                                 .columns = network.columns,
                                 .edge_probability = network.edge_probability,
                                 .degree = network.degree,
                                 .radius = network.radius,
                                 .seed = network.seed}),
                     weights);
}

Schedule schedule_of(const ExperimentConfig& config) {
  using Kind = Schedule::Kind;
  static const std::map<std::string, Kind> kinds{{"constant", Kind::constant},
                                                 {"step", Kind::step},
                                                 {"cosine", Kind::cosine},
                                                 {"inverse_sqrt", Kind::inverse_sqrt}};
  const ScheduleConfig& schedule = config.schedule;
  return {.kind = kinds.at(schedule.kind),
          .warmup_rounds = schedule.warmup_rounds,
          .every = schedule.every,
          .factor = schedule.factor,
          .floor = schedule.floor,
          .scale = schedule.scale,
          .rounds = config.run.rounds};
}

}  // namespace

AlgorithmOptions algorithm_options(const ExperimentConfig& config) {
  const AlgorithmConfig& algorithm = config.algorithm;
  return {.local_steps = algorithm.local_steps,
          .local_rate = algorithm.local_rate,
          .communication_rate = algorithm.communication_rate,
          .initial_correction = algorithm.initial_correction == "gradient"
                                    ? InitialCorrection::gradient
                                    : InitialCorrection::zero,
          .global_every = algorithm.global_every,
          .lazy = algorithm.lazy,
          .schedule = schedule_of(config),
          .seed = config.run.seed};
}

Setup::Setup(const ExperimentPlan& plan) {
  for (const PlannedRun& run : plan.runs) prepare(run.config);
}

void Setup::prepare(const ExperimentConfig& config) {
  const std::string file = config.problem.file.string();
  if (!file.empty() && !problem_files_.contains(file)) {
    problem_files_.emplace(file, read_least_squares(config.problem.file));
  }
  if (!file.empty() && config.network.nodes && *config.network.nodes != nodes_of(config)) {
    throw ConfigError(fmt::format("{}: has {} nodes, but network.nodes = {}", file,
                                  nodes_of(config), *config.network.nodes));
  }
  const std::string key = network_key(config);
  if (!networks_.contains(key)) {
    const std::optional<NodeId> nodes =
        file.empty() ? config.network.nodes : std::optional(nodes_of(config));
    MixingMatrix mixing = build_mixing(config.network, nodes);
    const Spectrum found = spectrum(mixing);
    networks_.emplace(key, PreparedNetwork{std::move(mixing), found});
  }
  const double lambda_min = network(config).spectrum.lambda_min;
  const std::string& kind = config.algorithm.kind;
  if ((kind == "d2" || kind == "led") && !config.algorithm.lazy && lambda_min < -1.0 / 3 - 1e-9) {
    const std::string warning = fmt::format(
        "{} needs eigenvalues of W above -1/3, but the smallest is {:.4g} (p = {:.4g}): it is "
        "likely to "
        "diverge; set algorithm.lazy = true",
        kind, lambda_min, network(config).spectrum.p);
    if (std::ranges::count(warnings_, warning) == 0) warnings_.push_back(warning);
  }
}

// Of the experiment: what the problem file or the network file says, else the config.
NodeId Setup::nodes_of(const ExperimentConfig& config) const {
  if (!config.problem.file.empty()) {
    return static_cast<NodeId>(problem_files_.at(config.problem.file.string()).A.size());
  }
  return network(config).mixing.nodes();
}

// All that W depends on, as text.
std::string Setup::network_key(const ExperimentConfig& config) const {
  ExperimentConfig only_network;
  only_network.network = config.network;
  std::string key = to_toml(only_network);
  if (!config.problem.file.empty()) key += fmt::format("# {} nodes", nodes_of(config));
  return key;
}

const PreparedNetwork& Setup::network(const ExperimentConfig& config) const {
  return networks_.at(network_key(config));
}

std::unique_ptr<Problem<double>> Setup::problem(const ExperimentConfig& config) const {
  const ProblemConfig& problem = config.problem;
  if (!problem.file.empty()) {
    return make_least_squares<double>(problem_files_.at(problem.file.string()), problem.noise);
  }
  return make_synthetic_least_squares<double>({.nodes = nodes_of(config),
                                               .dim = problem.dim,
                                               .heterogeneity = problem.heterogeneity,
                                               .noise = problem.noise,
                                               .seed = config.run.seed});
}

}  // namespace driftless
