#include "driftless/config/resumable.hpp"

#include <fmt/format.h>

#include <vector>

#include "driftless/config/key.hpp"

namespace driftless {
namespace {

std::string value_text(const Key& key, const ExperimentConfig& config) {
  const std::optional<Value> value = key.value_in(config);
  if (!value || !why_inapplicable(key, config).empty()) return "unset";
  return toml_literal(*value);
}

// Nothing that these say changes a round that was done.
bool is_free(const Key& key) {
  return key.section() == "checkpoint" || key.name == "run.target" ||
         key.name == "run.on_divergence" || key.name == "run.rounds";
}

std::string fault_of_rounds(const ExperimentConfig& begun, const ExperimentConfig& now,
                            Round rounds_done) {
  const Round before = begun.run.rounds;
  const Round after = now.run.rounds;
  if (after == before) return "";
  if (now.schedule.kind == "cosine") {
    return fmt::format(
        "run.rounds was {} and is {}: the cosine schedule spreads the rates over all rounds, so "
        "those that were done would have had other rates",
        before, after);
  }
  if (after < rounds_done) {
    return fmt::format("run.rounds was {} and is {}, but {} rounds are done", before, after,
                       rounds_done);
  }
  return "";
}

}  // namespace

std::string why_not_resumable(const ExperimentConfig& begun, const ExperimentConfig& now,
                              Round rounds_done) {
  std::vector<std::string> faults;
  for (const Key& key : config_keys()) {
    const std::string before = value_text(key, begun);
    const std::string after = value_text(key, now);
    if (before == after || is_free(key)) continue;
    faults.push_back(fmt::format("{} was {} and is {}", key.name, before, after));
  }
  if (std::string fault = fault_of_rounds(begun, now, rounds_done); !fault.empty()) {
    faults.push_back(std::move(fault));
  }
  return fmt::format("{}", fmt::join(faults, "; "));
}

}  // namespace driftless
