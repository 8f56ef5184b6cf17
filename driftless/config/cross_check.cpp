#include "driftless/config/cross_check.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "driftless/algorithm/registry.hpp"
#include "driftless/base/error.hpp"
#include "driftless/base/text.hpp"
#include "driftless/config/key.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/sequence_families.hpp"
#include "driftless/problem/registry.hpp"

namespace driftless {
namespace {

class CrossCheck {
 public:
  CrossCheck(const Given& given, std::string_view combination, ConfigFile& file)
      : given_(given), combination_(combination), file_(file), config_(resolve(given)) {}

  ExperimentConfig run() {
    for (const Key& key : config_keys()) {
      const Setting* setting = given(key);
      if ((setting == nullptr && !key.required) || !decidable(key)) continue;
      const std::string reason = why_inapplicable(key, config_);
      if (setting != nullptr) {
        if (!reason.empty()) note(*setting, reason);
      } else if (reason.empty()) {
        note_missing(key);
      }
    }
    check_topology();
    check_local_steps();
    check_faults();
    check_codec();
    check_seeds();
    return config_;
  }

 private:
  // False when the key that decides whether this one applies is itself missing or faulty: that is
  // told already.
  bool decidable(const Key& key) const {
    return std::ranges::all_of(key.conditions, [&](const Key::Condition& condition) {
      const Key& selector = *find_key(condition.selector);
      const Setting* setting = given(selector);
      return setting ? setting->value.has_value() : !selector.required;
    });
  }

  const Setting* given(const Key& key) const {
    const auto found = given_.find(&key);
    return found == given_.end() ? nullptr : found->second;
  }
  const Setting* given(std::string_view name) const { return given(*find_key(name)); }

  void note(const Setting& setting, std::string_view reason) {
    if (!setting.value) return;
    file_.faults.add(
        setting.place,
        fmt::format("{} = {}: {}", setting.key->name, toml_literal(*setting.value), reason),
        combination_);
  }

  void note_missing(const Key& key) {
    const auto line = file_.section_lines.find(key.section());
    const Place place =
        line == file_.section_lines.end()
            ? Place{.text = file_.source_name}
            : Place{fmt::format("{}:{}", file_.source_name, line->second), line->second};
    std::string needed_by;
    if (!key.conditions.empty()) {
      const auto& [selector, values] = key.conditions.back();
      needed_by = fmt::format(" for {} = \"{}\"", selector, either_of(views_of(values)));
    }
    file_.faults.add(
        place, fmt::format("{} is missing{}; expected {}", key.name, needed_by, key.expectation()),
        combination_);
  }

  // Sizes that the topology cannot have. Where a file brings the nodes, they show when it is read.
  void check_topology() {
    const NetworkConfig& network = config_.network;
    if (!network.file.empty() || !network.nodes) return;
    for (const auto& [key, setting] : given_) {
      if (key->section() != "network") continue;
      if (!setting->value || !why_inapplicable(*key, config_).empty()) return;  // told already
    }
    try {
      if (network.names_sequence()) {
        resolve_sequence(network.sequence_options(*network.nodes));
      } else {
        resolve_topology(network.topology_options(*network.nodes));
      }
    } catch (const ConfigError& error) {
      const Setting* topology = given("network.topology");
      if (topology != nullptr) note(*topology, error.what());
    }
  }

  void check_local_steps() {
    const Setting* steps = given("algorithm.local_steps");
    const AlgorithmKind* kind = find_algorithm_kind(config_.algorithm.kind);
    if (steps == nullptr || kind == nullptr || kind->local_steps) return;
    if (!steps->value || std::get<std::int64_t>(*steps->value) == 1) return;
    std::vector<std::string_view> others;
    for (const AlgorithmKind& other : algorithm_kinds())
      if (other.local_steps) others.push_back(other.name);
    note(*steps,
         fmt::format("{} takes one step a round; more are for {}", kind->name, either_of(others)));
  }

  void check_faults() {
    const AlgorithmKind* kind = find_algorithm_kind(config_.algorithm.kind);
    if (kind == nullptr) return;
    if (kind->vectors_a_server > 0) return check_faults_of_server(*kind);
    const Setting* crash = given("faults.crash");
    const std::string_view why = why_none_may_be_lost(config_.algorithm);
    if (crash != nullptr && is_above_zero(*crash) && !why.empty()) note(*crash, why);
  }

  // A server forgets nobody and waits for nobody: who is lost for good, or late, has no meaning
  // there.
  void check_faults_of_server(const AlgorithmKind& kind) {
    for (const std::string_view name : {"faults.crash", "faults.late"}) {
      const Setting* setting = given(name);
      if (setting == nullptr || !is_above_zero(*setting)) continue;
      note(*setting, fmt::format("{} sends through a server, which takes who is there in a round: "
                                 "drop, pause and slow are for it",
                                 kind.name));
    }
  }

  static bool is_above_zero(const Setting& setting) {
    return setting.value && from_value<double>(*setting.value) > 0;
  }

  // Compressed letters build on one another, so all of them must arrive, at once and in order.
  void check_codec() {
    const Setting* codec = given("compression.codec");
    if (codec == nullptr || config_.compression.codec == "none") return;
    if (config_.network.names_sequence() || config_.network.file.extension() == ".csv") {
      note(*codec,
           "needs links that are the same in every round: a compressed letter builds on all "
           "letters before it");
    }
    std::vector<std::string_view> missing;
    for (const std::string_view name :
         {"faults.drop", "faults.pause", "faults.crash", "faults.late"}) {
      const Setting* setting = given(name);
      if (setting != nullptr && is_above_zero(*setting)) missing.push_back(name);
    }
    if (!missing.empty()) {
      note(*codec, fmt::format("does not go with {}: a compressed letter builds on all letters "
                               "before it, so none may be missing or late; remove one",
                               fmt::join(missing, ", ")));
    }
    check_codec_of_method(*codec);
  }

  void check_codec_of_method(const Setting& codec) {
    const AlgorithmKind* kind = find_algorithm_kind(config_.algorithm.kind);
    if (kind == nullptr) return;
    if (kind->vectors_an_edge == 0) {
      note(codec, fmt::format("{} has no letters between neighbours; only these are compressed",
                              kind->name));
    } else if (kind->faithful_letters && !keeps_most_of_a_number(config_.compression)) {
      note(codec, fmt::format("{} sums up what letters leave out, and diverges where a codec keeps "
                              "less than half of a number; int3 to int8, bf16 and unbiased qsgd of "
                              "16 levels or more keep it",
                              kind->name));
    }
  }

  // A config file has no integers beyond 2^63 - 1 for the seed of the last repetition.
  void check_seeds() {
    check_seed("run.seed", config_.run.seed);
    check_seed("faults.seed", config_.faults.seed);
  }
  void check_seed(std::string_view name, std::uint64_t first) {
    const auto last = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const auto repetitions = static_cast<std::uint64_t>(config_.run.repetitions);
    if (first <= last - (repetitions - 1)) return;
    if (const Setting* seed = given(name))
      note(*seed, fmt::format("too large for {} repetitions, which count up from it", repetitions));
  }

  const Given& given_;
  std::string_view combination_;
  ConfigFile& file_;
  ExperimentConfig config_;
};

}  // namespace

std::string_view why_none_may_be_lost(const AlgorithmConfig& algorithm) {
  const auto start = algorithm.options.find("initial_correction");
  if (start == algorithm.options.end() || start->second != Value("gradient")) return {};
  return "initial_correction = \"gradient\" puts the mean of all gradients into every node's "
         "correction, and what a lost node gave to it cannot be taken back: the others would end "
         "at a wrong point; leave it at \"zero\"";
}

ExperimentConfig resolve(const Given& given) {
  ExperimentConfig config;
  for (const auto& [key, setting] : given)
    if (setting->value) key->assign(config, *setting->value);
  const ProblemKind* problem = find_problem_kind(config.problem.kind);
  const bool sized_by_a_file =
      !config.network.file.empty() ||
      (problem != nullptr && sizing_files(*problem, config.problem.options) != nullptr);
  if (sized_by_a_file && !given.contains(find_key("network.nodes"))) config.network.nodes.reset();
  fill_in_defaults(config);
  return config;
}

ExperimentConfig resolve_checked(const Given& given, std::string_view combination,
                                 ConfigFile& file) {
  return CrossCheck(given, combination, file).run();
}

}  // namespace driftless
