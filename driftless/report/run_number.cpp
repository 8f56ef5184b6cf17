#include "driftless/report/run_number.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "driftless/record/result_text.hpp"

namespace driftless {
namespace {

using Run = const RunDigest&;
using Runs = std::span<const RunDigest>;

template <bool Optimum_known>
std::optional<double> level_of(Run run) {
  return run.optimum_known() == Optimum_known ? run.level() : std::nullopt;
}
template <bool Optimum_known>
std::string level_text_of(Runs runs) {
  return runs.front().optimum_known() == Optimum_known ? level_text(runs) : "";
}

template <DigestNumber Number>
std::optional<double> number_in(Run run) {
  return (run.*Number)();
}
template <DigestNumber Number>
std::string decimals_of(Runs runs) {
  return decimals_text(runs, Number);
}

constexpr bool to_target = true;

constexpr std::array numbers{
    RunNumber{"rounds_to_target", "rounds to the target", "rounds to target",
              number_in<&RunDigest::rounds_to_target>, rounds_text, to_target},
    RunNumber{"bytes_to_target", "bytes sent until the target", "bytes to target",
              number_in<&RunDigest::bytes_to_target>, bytes_text, to_target},
    RunNumber{"suboptimality", "final suboptimality f(x̄) − f*", "final suboptimality",
              level_of<true>, level_text_of<true>},
    RunNumber{"loss", "final loss f(x̄)", "final loss", level_of<false>, level_text_of<false>},
    RunNumber{"level", "final suboptimality, or else loss", "", number_in<&RunDigest::level>,
              [](Runs) { return std::string(); }},
    RunNumber{"test_accuracy", "final test accuracy", "test accuracy",
              number_in<&RunDigest::accuracy>, decimals_of<&RunDigest::accuracy>},
    RunNumber{"node_accuracy", "final test accuracy of the nodes' own models", "nodes' own",
              number_in<&RunDigest::node_accuracy>, decimals_of<&RunDigest::node_accuracy>},
    RunNumber{"worst_node_accuracy", "worst node's final test accuracy", "worst node's",
              number_in<&RunDigest::worst_accuracy>, decimals_of<&RunDigest::worst_accuracy>},
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
