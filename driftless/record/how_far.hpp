#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "driftless/base/types.hpp"

namespace driftless {

// How far the runs are, those and the rounds included that an earlier program did.
struct HowFar {
  std::size_t runs = 0;
  std::size_t ended = 0;            // of the runs
  Round rounds = 0;                 // of all runs
  Round done = 0;                   // of the rounds
  Round done_before = 0;            // by an earlier program
  std::optional<double> loss = {};  // the newest of any run
  double seconds = 0;               // that this program has taken so far

  double share() const {
    return static_cast<double>(done) / static_cast<double>(std::max<Round>(1, rounds));
  }
  // "run 2/3  round 150/300  loss 0.5  50 rounds/s  3 s left", as far as it is known.
  std::string text() const;
  // The same after a bar and the percent, for a terminal with so many columns. Where they are few,
  // speed, loss, counts and bar are left out, in that order: percent and time left stay.
  std::string line(std::size_t columns) const;
};

}  // namespace driftless
