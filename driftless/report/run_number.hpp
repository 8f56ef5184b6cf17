#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "driftless/report/comparison.hpp"

namespace driftless {

// One of the numbers that sum a run up.
struct RunNumber {
  std::string_view name;
  std::string_view title;    // of an axis
  std::string_view heading;  // of a column
  std::optional<double> (*of)(const RunDigest&);
  std::string (*text)(std::span<const RunDigest>);  // of all runs of a group; empty: nothing
  bool to_target = false;                           // there is none where there is no target

  std::string_view missing() const { return to_target ? "not reached" : "no number"; }
};

std::span<const RunNumber> run_numbers();

// A number of all runs of a group.
struct GroupNumber {
  std::vector<double> values = {};  // of the runs that have it
  std::size_t runs = 0;
  std::size_t diverged = 0;           // of those without it
  std::optional<Estimate> mean = {};  // only where all runs have it: one over the others flatters

  std::size_t missing() const { return runs - values.size() - diverged; }
};

// A run that diverged has no number, whatever its rows before that may say.
GroupNumber number_of(const RunNumber& number, const RunGroup& group);

}  // namespace driftless
