#include "driftless/report/run_number.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace driftless {
namespace {

std::optional<double> level_if(const RunDigest& run, bool optimum_known) {
  return run.optimum_known() == optimum_known ? run.level() : std::nullopt;
}

using Digest = const RunDigest&;
constexpr std::string_view too_short = "no number";

constexpr std::array numbers{
    RunNumber{"rounds_to_target", "communication rounds to the target", "not reached",
              [](Digest run) { return run.rounds_to_target(); }},
    RunNumber{"bytes_to_target", "bytes sent to the target", "not reached",
              [](Digest run) { return run.bytes_to_target(); }},
    RunNumber{"suboptimality", "final suboptimality f(x̄) − f*", too_short,
              [](Digest run) { return level_if(run, true); }},
    RunNumber{"loss", "final loss f(x̄)", too_short,
              [](Digest run) { return level_if(run, false); }},
    RunNumber{"level", "final suboptimality, or else loss", too_short,
              [](Digest run) { return run.level(); }},
    RunNumber{"test_accuracy", "final test accuracy", too_short,
              [](Digest run) { return run.accuracy(); }},
    RunNumber{"worst_node_accuracy", "worst node's final test accuracy", too_short,
              [](Digest run) { return run.worst_accuracy(); }},
};

}  // namespace

std::span<const RunNumber> run_numbers() { return numbers; }

GroupNumber number_of(const RunNumber& number, const RunGroup& group) {
  GroupNumber all{.runs = group.runs.size()};
  for (std::size_t k = 0; k < group.runs.size(); ++k) {
    if (group.runs[k]->outcome() == name_of(Outcome::diverged)) {
      ++all.diverged;
    } else if (const auto value = number.of(group.digests[k]); value && std::isfinite(*value)) {
      all.values.push_back(*value);
    }
  }
  if (all.values.size() == all.runs) all.mean = estimate(all.values);
  return all;
}

}  // namespace driftless
