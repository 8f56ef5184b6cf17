#include "driftless/experiment/setup.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/algorithm/registry.hpp"
#include "driftless/base/error.hpp"
#include "driftless/config/key.hpp"
#include "driftless/graph/edge_list.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/matrix_market.hpp"
#include "driftless/graph/weights.hpp"

namespace driftless {
namespace {

// `nodes` is what the config or the problem file asks for, and `asked` says so.
MixingMatrix build_mixing(const NetworkConfig& network, std::optional<NodeId> nodes,
                          const std::string& asked) {
  const auto check = [&](NodeId found) {
    if (nodes && *nodes != found) {
      throw ConfigError("{}: has {} nodes, but {}; they must be the same", network.file.string(),
                        found, asked);
    }
  };
  if (network.file.extension() == ".mtx") {
    MixingMatrix mixing = read_mixing_matrix(network.file);
    check(mixing.nodes());
    return mixing;
  }
  const Weights weights = from_name<Weights>("weights", network.weights);
  if (!network.file.empty()) {
    const Graph graph = read_edge_list(network.file, nodes);
    check(graph.nodes());
    return make_mixing(graph, weights);
  }
  return make_mixing(make_graph(network.topology_options(*nodes)), weights);
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

const ProblemKind& kind_of(const ProblemConfig& problem) {
  const ProblemKind* kind = find_problem_kind(problem.kind);
  if (kind == nullptr) {
    throw ConfigError("there is no problem \"{}\"", problem.kind);
  }
  return *kind;
}

// The file that says how many nodes the problem has; empty: none does.
std::string sizing_file(const ProblemConfig& problem) {
  const Value* files = sizing_files(kind_of(problem), problem.options);
  return files != nullptr ? plain_text(*files) : "";
}

}  // namespace

AlgorithmOptions algorithm_options(const ExperimentConfig& config) {
  Settings common = config.algorithm.options;
  Settings own;
  if (const AlgorithmKind* kind = find_algorithm_kind(config.algorithm.kind)) {
    for (const Option& option : kind->own) {
      if (auto set = common.extract(option.name)) own.insert(std::move(set));
    }
  }
  AlgorithmOptions options = options_of<AlgorithmOptions>().read(common);
  options.own = std::move(own);
  options.schedule = schedule_of(config);
  options.seed = config.run.seed;
  return options;
}

EvaluationOptions evaluation_options(const ExperimentConfig& config) {
  return {.gradients = config.run.gradient_metrics.value_or(!learns(config.problem)),
          .every_node = config.run.test_every_node};
}

Setup::Setup(const ExperimentPlan& plan, const Processes& processes, const Notice& notice)
    : rank_(processes.rank()), processes_(processes.count()) {
  const std::vector<const PlannedRun*> runs = plan.all_runs();
  const auto load = [&] {
    for (const PlannedRun* run : runs) prepare_network(run->config);
    check_processes();
    load_problems(runs, notice);
    for (const PlannedRun* run : runs) {
      const ProblemRequest request = request_of(run->config);
      files_.add(run->config, request.nodes, request.hosted, rank_ == 0);
    }
    for (const PlannedRun* run : runs) {
      check_start(run->config);
      warn(run->config);
    }
    warn_of_tuning(plan);
  };
  if (processes.count() == 1) {
    load();
  } else {
    processes.agree(fault_in(load), 0);
  }
  for (ProblemSource* source : in_order_) source->exchange(processes, notice);
  files_.exchange(processes);
}

void Setup::prepare_network(const ExperimentConfig& config) {
  std::optional<NodeId> nodes = config.network.nodes;
  std::string asked = fmt::format("network.nodes = {}", nodes.value_or(0));
  const std::string file = sizing_file(config.problem);
  if (!file.empty()) {
    const NodeId of_file = source_of(config).nodes(config.problem.options).value();
    if (nodes && *nodes != of_file) {
      throw ConfigError("{}: has {} nodes, but network.nodes = {}; leave that out", file, of_file,
                        *nodes);
    }
    nodes_by_problem_[file] = of_file;
    nodes = of_file;
    asked = fmt::format("{} has {}", file, of_file);
  }
  const std::string key = network_key(config);
  if (networks_.contains(key)) return;
  MixingMatrix mixing = build_mixing(config.network, nodes, asked);
  const Spectrum found = spectrum(mixing);
  networks_.emplace(key, PreparedNetwork{std::move(mixing), found});
}

void Setup::check_processes() const {
  for (const auto& [key, prepared] : networks_) {
    if (processes_ <= prepared.mixing.nodes()) continue;
    throw ConfigError(
        "{} ranks for {} nodes: a rank hosts at least one; start at most {}, or set network.nodes",
        processes_, prepared.mixing.nodes(), prepared.mixing.nodes());
  }
}

void Setup::load_problems(const std::vector<const PlannedRun*>& runs, const Notice& notice) {
  std::map<ProblemSource*, std::vector<ProblemRequest>> requests;
  for (const PlannedRun* run : runs) {
    ProblemSource* source = &source_of(run->config);
    if (!requests.contains(source)) in_order_.push_back(source);
    requests[source].push_back(request_of(run->config));
  }
  for (ProblemSource* source : in_order_) source->load(requests[source], notice);
}

FileSums Setup::inputs(const ExperimentConfig& config) const {
  return files_.of(config, network(config).mixing.nodes());
}

void Setup::check_start(const ExperimentConfig& config) const {
  const AlgorithmKind* kind = find_algorithm_kind(config.algorithm.kind);
  if (kind == nullptr || !kind->one_start) return;
  const std::string why = source_of(config).different_starts(request_of(config));
  if (why.empty()) return;
  throw ConfigError(
      "{}, but {} starts from the server's one model; give one x0 for all nodes, or "
      "choose another method",
      why, kind->name);
}

void Setup::warn(const ExperimentConfig& config) {
  const AlgorithmKind* kind = find_algorithm_kind(config.algorithm.kind);
  if (kind == nullptr || !kind->warning) return;
  const std::string warning =
      kind->warning(*kind, network(config).spectrum, algorithm_options(config));
  if (!warning.empty() && std::ranges::count(warnings_, warning) == 0) {
    warnings_.push_back(warning);
  }
}

void Setup::warn_of_tuning(const ExperimentPlan& plan) {
  if (!plan.tuning) return;
  const std::string& metric = *plan.tuning->config.metric;
  const bool by_test_data =
      metric.starts_with("test_") || metric.find("node_") != std::string::npos;
  if (!by_test_data) return;
  warnings_.push_back(
      fmt::format("tune.metric = \"{}\" chooses by the test data, whose figures then look better "
                  "than on new data; set problem.validation = 0.1 and leave tune.metric out",
                  metric));
}

void Setup::add_to(Fingerprint& fingerprint) const {
  for (const auto& [key, prepared] : networks_) {
    for (NodeId i = 0; i < prepared.mixing.nodes(); ++i) {
      fingerprint.add_numbers(prepared.mixing.row(i).nodes);
      fingerprint.add_numbers(prepared.mixing.row(i).weights);
    }
  }
  for (const auto& [group, source] : sources_) source->add_to(fingerprint);
}

namespace {

std::string source_key(const ProblemConfig& problem) {
  const ProblemKind& kind = kind_of(problem);
  return kind.group.empty() ? kind.name : fmt::format("group {}", kind.group);
}

}  // namespace

ProblemSource& Setup::source_of(const ExperimentConfig& config) {
  auto& source = sources_[source_key(config.problem)];
  if (!source) source = kind_of(config.problem).open();
  return *source;
}

const ProblemSource& Setup::source_of(const ExperimentConfig& config) const {
  return *sources_.at(source_key(config.problem));
}

ProblemRequest Setup::request_of(const ExperimentConfig& config) const {
  const NodeId nodes = network(config).mixing.nodes();
  return {.kind = config.problem.kind,
          .options = config.problem.options,
          .nodes = nodes,
          .hosted = Hosting{nodes, processes_}.of(rank_),
          .local_steps = algorithm_options(config).local_steps,
          .seed = config.run.seed};
}

// All that W depends on, as text.
std::string Setup::network_key(const ExperimentConfig& config) const {
  std::string text;
  for (const Key& key : config_keys()) {
    if (key.section() != "network") continue;
    const std::optional<Value> value = key.value_in(config);
    text += value ? plain_text(*value) + "\n" : "\n";
  }
  const auto nodes = nodes_by_problem_.find(sizing_file(config.problem));
  return nodes == nodes_by_problem_.end() ? text : fmt::format("{}{}", text, nodes->second);
}

const PreparedNetwork& Setup::network(const ExperimentConfig& config) const {
  return networks_.at(network_key(config));
}

AnyProblem Setup::problem(const ExperimentConfig& config) const {
  return source_of(config).make(request_of(config));
}

}  // namespace driftless
