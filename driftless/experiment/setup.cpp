#include "driftless/experiment/setup.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "driftless/base/error.hpp"
#include "driftless/data/load.hpp"
#include "driftless/experiment/data_problem_setup.hpp"
#include "driftless/config/topology_options.hpp"
#include "driftless/graph/edge_list.hpp"
#include "driftless/graph/matrix_market.hpp"
#include "driftless/graph/weights.hpp"
#include "driftless/network/rows.hpp"

namespace driftless {

namespace {

// `nodes` is what the config or the problem file asks for, and `asked` says so.
MixingMatrix build_mixing(const NetworkConfig& network, std::optional<NodeId> nodes,
                          const std::string& asked) {
  const auto check = [&](NodeId found) {
    if (nodes && *nodes != found) {
      throw ConfigError(fmt::format("{}: has {} nodes, but {}; they must be the same",
                                    network.file.string(), found, asked));
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
  return make_mixing(make_graph(topology_options(network, *nodes)), weights);
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

// What is wrong with data names its file; this adds the keys that name the file.
LabelledData load_data_of(const ProblemConfig& problem, const ChooseSamples& choose) {
  const bool with_test = !problem.test_data.empty();
  try {
    return load_data(problem.data.string(),
                     with_test ? std::optional(problem.test_data) : std::nullopt, choose);
  } catch (const InputError& error) {
    throw DataError(
        fmt::format("problem.data{}: {}", with_test ? ", problem.test_data" : "", error.what()));
  }
}

std::string data_key(const ProblemConfig& problem) {
  return problem.data.string() + '\n' + problem.test_data.string();
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

Setup::Setup(const ExperimentPlan& plan, Share share) : share_(share) {
  const std::vector<ExperimentConfig> configs = plan.all_configs();
  for (const ExperimentConfig& config : configs) prepare_network(config);
  check_ranks(share.ranks);
  for (const ExperimentConfig& config : configs) {
    if (learns(config.problem)) prepare_data(configs, config);
  }
}

void Setup::load_problem_file(const std::filesystem::path& file) {
  ProblemFile loaded{.data = read_least_squares(file)};
  LeastSquaresData& data = loaded.data;
  Fingerprint all;
  for (const auto& A : data.A) all.add_numbers(A);
  for (const auto& b : data.b) all.add_numbers(b);
  for (const auto& start : data.x0) all.add_numbers(start);
  loaded.fingerprint = all.value();
  solve(data);
  const auto nodes = static_cast<NodeId>(data.A.size());
  const NodeRange own = Hosting{nodes, share_.ranks}.of(share_.rank);
  for (NodeId i = 0; i < nodes; ++i) {
    if (own.first <= i && i < own.last) continue;
    auto& A = data.A[static_cast<std::size_t>(i)];
    A.resize(0, A.cols());
    data.b[static_cast<std::size_t>(i)].resize(0);
  }
  problem_files_.emplace(file.string(), std::move(loaded));
}

void Setup::prepare_network(const ExperimentConfig& config) {
  const std::string file = config.problem.file.string();
  if (!file.empty() && !problem_files_.contains(file)) {
    load_problem_file(config.problem.file);
  }
  if (!file.empty() && config.network.nodes && *config.network.nodes != nodes_of(config)) {
    throw ConfigError(fmt::format("{}: has {} nodes, but network.nodes = {}; leave that out", file,
                                  nodes_of(config), *config.network.nodes));
  }
  const std::string key = network_key(config);
  if (!networks_.contains(key)) {
    const std::optional<NodeId> nodes =
        file.empty() ? config.network.nodes : std::optional(nodes_of(config));
    const std::string asked = file.empty() ? fmt::format("network.nodes = {}", nodes.value_or(0))
                                           : fmt::format("{} has {}", file, nodes.value_or(0));
    MixingMatrix mixing = build_mixing(config.network, nodes, asked);
    const Spectrum found = spectrum(mixing);
    networks_.emplace(key, PreparedNetwork{std::move(mixing), found});
  }
  check_memory(config);
  check_starts(config);
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

void Setup::prepare_data(std::span<const ExperimentConfig> all, const ExperimentConfig& config) {
  const std::string key = data_key(config.problem);
  const ChooseSamples of_own_nodes = [&](const Dataset& train) {
    std::vector<bool> chosen(train.labels.size());
    for (const ExperimentConfig& other : all) {
      if (!learns(other.problem) || data_key(other.problem) != key) continue;
      const NodeId nodes = nodes_of(other);
      const NodeRange own = Hosting{nodes, share_.ranks}.of(share_.rank);
      const Partition partition = partition_of(other, train, nodes);
      for (NodeId i = own.first; i < own.last; ++i) {
        for (const SampleId sample : partition[static_cast<std::size_t>(i)]) chosen[sample] = true;
      }
    }
    return chosen;
  };
  auto& data = data_[key];
  if (!data) {
    data = std::make_shared<const LabelledData>(
        load_data_of(config.problem, share_.ranks > 1 ? of_own_nodes : ChooseSamples()));
  }
  problem(config);  // a model or a split that the data do not allow shows here
}

void Setup::check_ranks(int ranks) const {
  for (const auto& [key, prepared] : networks_) {
    if (ranks <= prepared.mixing.nodes()) continue;
    throw ConfigError(fmt::format(
        "{} ranks for {} nodes: a rank hosts at least one; start at most {}, or set network.nodes",
        ranks, prepared.mixing.nodes(), prepared.mixing.nodes()));
  }
}

void Setup::add_to(Fingerprint& fingerprint) const {
  for (const auto& [key, prepared] : networks_) {
    for (NodeId i = 0; i < prepared.mixing.nodes(); ++i) {
      fingerprint.add_numbers(prepared.mixing.row(i).nodes);
      fingerprint.add_numbers(prepared.mixing.row(i).weights);
    }
  }
  for (const auto& [name, file] : problem_files_) fingerprint.add_number(file.fingerprint);
  for (const auto& [key, data] : data_) {
    fingerprint.add_number(data->train.fingerprint);
    if (data->test) fingerprint.add_number(data->test->fingerprint);
  }
}

// The models and the problem alone, two vectors a node: a request beyond that is a slip of the pen.
void Setup::check_memory(const ExperimentConfig& config) const {
  if (!config.problem.file.empty() || learns(config.problem)) return;
  const double needed = 2.0 * sizeof(double) * static_cast<double>(config.problem.dim) *
                        static_cast<double>(nodes_of(config));
  const double there =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (needed <= there) return;
  throw ConfigError(
      fmt::format("problem.dim = {} on {} nodes takes at least {:.0f} GB of memory, but this "
                  "machine has {:.0f}; choose fewer of either",
                  config.problem.dim, nodes_of(config), needed / 1e9, there / 1e9));
}

void Setup::check_starts(const ExperimentConfig& config) const {
  if (config.algorithm.kind != "scaffold" || config.problem.file.empty()) return;
  const auto& starts = problem_files_.at(config.problem.file.string()).data.x0;
  const auto differs = [&](const Vector<double>& start) { return start != starts.front(); };
  if (std::ranges::any_of(starts, differs)) {
    throw ConfigError(
        fmt::format("{}: x0: the nodes start from different points, but scaffold starts from the "
                    "server's one model; give one x0 for all nodes, or choose another method",
                    config.problem.file.string()));
  }
}

// Of the experiment: what the problem file or the network file says, else the config.
NodeId Setup::nodes_of(const ExperimentConfig& config) const {
  if (!config.problem.file.empty()) {
    return static_cast<NodeId>(problem_files_.at(config.problem.file.string()).data.A.size());
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

const LabelledData& Setup::data(const ExperimentConfig& config) const {
  return *data_.at(data_key(config.problem));
}

RunProblem Setup::problem(const ExperimentConfig& config) const {
  const ProblemConfig& problem = config.problem;
  if (learns(problem)) {
    return make_data_problem(config, data_.at(data_key(problem)), nodes_of(config));
  }
  if (!problem.file.empty()) {
    return make_least_squares<double>(problem_files_.at(problem.file.string()).data, problem.noise);
  }
  return make_synthetic_least_squares<double>({.nodes = nodes_of(config),
                                               .dim = problem.dim,
                                               .heterogeneity = problem.heterogeneity,
                                               .noise = problem.noise,
                                               .seed = config.run.seed});
}

}  // namespace driftless
