#pragma once

#include <span>
#include <string>

#include "driftless/experiment/tune.hpp"
#include "driftless/record/digest.hpp"

namespace driftless {

// What the repetitions of one combination came to, in the words of every table: on the terminal, on
// the page and in LaTeX. One run is told by its value, fewer than five by their mean and range,
// "52 (49–55)", more by the mean and its 95 % interval, "52.4 ± 1.2". A mean is over all runs or is
// not told.

// "51–100" where the rows leave it open, "reached by 2 of 3: 3,900, 4,140", "not reached".
std::string rounds_text(std::span<const RunDigest> runs);
std::string bytes_text(std::span<const RunDigest> runs);  // likewise, empty where not reached

// The final suboptimality or loss, or how the runs ended where one did not end well.
std::string level_text(std::span<const RunDigest> runs);

// An accuracy, or another figure that is read with its decimals; empty where a run has none.
std::string decimals_text(std::span<const RunDigest> runs, DigestNumber number);

// The score of a candidate, as [tune] reads it, or why it has none.
std::string score_text(const CandidateScore& score, const TuneConfig& tune);

std::string readable_bytes(double bytes);   // "1.5 MB"
std::string readable_time(double seconds);  // "12 s", "3:07", "1:00:30"
std::string readable_count(double number);  // "12,345"

}  // namespace driftless
