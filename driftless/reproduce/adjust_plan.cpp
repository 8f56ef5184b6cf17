#include "driftless/reproduce/adjust_plan.hpp"

#include <algorithm>

#include "driftless/config/key.hpp"

namespace driftless {
namespace {

bool has_settings(const Combination& combination, const Where& where) {
  const ExperimentConfig& config = combination.runs.front().config;
  return std::ranges::all_of(where, [&](const auto& wanted) {
    const Key* key = find_key(wanted.first);
    const std::optional<Value> value = key != nullptr ? key->value_in(config) : std::nullopt;
    return value && plain_text(*value) == wanted.second;
  });
}

}  // namespace

SettingsByExperiment to_decide_with(std::size_t seeds, const std::vector<Claim>& claims) {
  SettingsByExperiment wanted;
  for (const Claim& claim : claims) {
    if (claim.seeds_to_decide != seeds) continue;
    for (const Side& side : claim.sample.sides) wanted[side.experiment].push_back(side.where);
  }
  return wanted;
}

void limit_others(ExperimentPlan& plan, const std::vector<Where>& settings, std::size_t runs) {
  for (Combination& combination : plan.combinations) {
    const bool wanted = std::ranges::any_of(
        settings, [&](const Where& where) { return has_settings(combination, where); });
    if (!wanted && combination.runs.size() > runs)
      combination.runs.erase(combination.runs.begin() + static_cast<std::ptrdiff_t>(runs),
                             combination.runs.end());
  }
}

void leave_out(ExperimentPlan& plan, const Where& settings) {
  std::erase_if(plan.combinations,
                [&](const Combination& each) { return has_settings(each, settings); });
}

}  // namespace driftless
