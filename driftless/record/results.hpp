#pragma once

#include <vector>

#include "driftless/config/plan.hpp"
#include "driftless/record/digest.hpp"

namespace driftless {

// What came of one combination of a plan.
struct CombinationResult {
  const Combination* plan = nullptr;
  std::vector<CandidateScore>
      candidates;                     // a score for each candidate; none where nothing is tuned
  std::optional<std::size_t> chosen;  // of the candidates; none: there was nothing to choose
  std::vector<RunDigest> runs;        // a digest for each of the combination's runs
};

// In the order of the plan's combinations.
using Results = std::vector<CombinationResult>;

}  // namespace driftless
