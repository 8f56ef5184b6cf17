#include "driftless/experiment/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "driftless/algorithm/registry.hpp"
#include "driftless/base/error.hpp"
#include "driftless/config/cross_check.hpp"
#include "driftless/config/key.hpp"

namespace driftless {
namespace {

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

// Throws ConfigError where the run does not bear what its codec makes of rows of `dim` numbers.
void check_codec(const ExperimentConfig& config, Index dim) {
  const CompressionOptions& packing = config.compression;
  const AlgorithmKind* kind = find_algorithm_kind(config.algorithm.kind);
  if (kind != nullptr && kind->faithful_letters && !keeps_most_of_a_number(packing, dim)) {
    throw ConfigError(
        "compression.codec = \"{}\" keeps less than half of a number where there are {}, and {} "
        "sums up what letters leave out: take int4",
        packing.codec, dim, kind->name);
  }
  if (!letters_settle(packing, dim)) {
    throw ConfigError(
        "compression.unbiased = true: of {} numbers, letters of {} levels are off by more than "
        "they "
        "say, and no rate makes that settle: leave it out, or take {:.0f} levels or more",
        dim, packing.levels, std::ceil(std::sqrt(static_cast<double>(dim)) / 2));
  }
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
      check_trace(run->config);
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
  const auto check = [&] { check_codecs(runs); };
  if (processes.count() == 1) {
    check();
  } else {
    processes.agree(fault_in(check), 0);
  }
}

// How much unbiased letters say depends on the length of rows, which only a problem knows.
void Setup::check_codecs(const std::vector<const PlannedRun*>& runs) const {
  const ExperimentConfig* before = nullptr;
  Index dim = 0;
  for (const PlannedRun* run : runs) {
    const ExperimentConfig& config = run->config;
    if (config.compression.codec != "qsgd" || !config.compression.unbiased) continue;
    if (before == nullptr || !(before->problem == config.problem)) {
      dim = std::visit([](const auto& made) { return made->dim(); }, problem(config));
    }
    before = &config;
    check_codec(config, dim);
  }
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
  if (!networks_.contains(key)) {
    networks_.emplace(key, driftless::prepare_network(config.network, nodes, asked));
  }
  if (config.faults.trace.empty() || traces_.contains(trace_key(config))) return;
  traces_.emplace(trace_key(config), trace_of(config.faults, *network(config).links()));
}

void Setup::check_processes() const {
  for (const auto& [key, prepared] : networks_) {
    if (processes_ <= prepared.nodes()) continue;
    throw ConfigError(
        "{} ranks for {} nodes: a rank hosts at least one; start at most {}, or set network.nodes",
        processes_, prepared.nodes(), prepared.nodes());
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
  return files_.of(config, network(config).nodes());
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

// What a trace tells shows only when it is read.
void Setup::check_trace(const ExperimentConfig& config) const {
  if (config.faults.trace.empty()) return;
  const bool packed = config.compression.codec != "none";
  const bool through_server = find_algorithm_kind(config.algorithm.kind)->vectors_a_server > 0;
  for (const TraceEvent& each : traces_.at(trace_key(config))) {
    if (each.event == Event::steps) continue;
    const std::string place =
        fmt::format("{}:{}: {}", config.faults.trace.string(), each.line, name_of(each.event));
    if (packed) {
      throw ConfigError(
          "{}, but compression.codec = \"{}\": a compressed letter builds on all letters before "
          "it, so none may be missing or late; only steps go with it",
          place, config.compression.codec);
    }
    if (through_server && (each.event == Event::crash || each.event == Event::late)) {
      throw ConfigError("{}, but {} sends through a server, which takes who is there in a round",
                        place, config.algorithm.kind);
    }
    const std::string_view why = why_none_may_be_lost(config.algorithm);
    if (each.event == Event::crash && !why.empty()) {
      throw ConfigError("{}, but algorithm.{}", place, why);
    }
  }
}

std::optional<Conditions> Setup::conditions(const ExperimentConfig& config, Index dim) const {
  const PreparedNetwork& prepared = network(config);
  const CompressionOptions& packing = config.compression;
  const bool packed = packing.codec != "none";
  if (prepared.mixing && !config.faults.any() && !packed) return std::nullopt;
  if (packed) check_codec(config, dim);
  Conditions conditions{.links = prepared.links(), .faults = config.faults};
  if (!config.faults.trace.empty()) conditions.trace = traces_.at(trace_key(config));
  if (packed) {
    conditions.codecs = {make_codec<float>(packing), make_codec<double>(packing)};
    conditions.codec_rate = packing.rate.value_or(default_rate(packing, dim));
  }
  conditions.seed = config.run.seed;
  return conditions;
}

void Setup::add_to(Fingerprint& fingerprint) const {
  WeightRows links;
  for (const auto& [key, prepared] : networks_) {
    const std::shared_ptr<const LinkSequence> sequence = prepared.links();
    // Links that are drawn are the same in all processes of one build.
    for (Round t = 0; t < sequence->period(); ++t) {
      sequence->links(t, links);
      for (NodeId i = 0; i < links.size(); ++i) {
        fingerprint.add_numbers(links.row(i).nodes);
        fingerprint.add_numbers(links.row(i).weights);
      }
    }
  }
  for (const auto& [key, trace] : traces_) {
    for (const TraceEvent& each : trace) {
      fingerprint.add_numbers(std::array{each.round, static_cast<std::int64_t>(each.event),
                                         static_cast<std::int64_t>(each.node),
                                         static_cast<std::int64_t>(each.peer), each.value});
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
  const NodeId nodes = network(config).nodes();
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

std::string Setup::trace_key(const ExperimentConfig& config) const {
  return network_key(config) + config.faults.trace.string();
}

const PreparedNetwork& Setup::network(const ExperimentConfig& config) const {
  return networks_.at(network_key(config));
}

AnyProblem Setup::problem(const ExperimentConfig& config) const {
  return source_of(config).make(request_of(config));
}

}  // namespace driftless
