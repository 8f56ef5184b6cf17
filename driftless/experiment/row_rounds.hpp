#pragma once

#include <algorithm>

#include "driftless/config/config.hpp"

namespace driftless {

// The rounds after which there is a row: the first and the last, and between them every so many
// from one on.
struct RowRounds {
  Round last;
  Round every;
  Round from;

  bool has(Round done) const { return done == last || stays(done); }
  // Whether there is a row still when the run gets more rounds.
  bool stays(Round done) const { return done == 0 || (done >= from && done % every == 0); }
  // The next row after one.
  Round after(Round done) const {
    const Round regular = std::max(done / every + 1, (from + every - 1) / every) * every;
    return done < last ? std::min(regular, last) : regular;
  }
};

inline RowRounds row_rounds(const RunConfig& config) {
  return {.last = config.rounds,
          .every = config.evaluate_every,
          .from = config.evaluate_from.value_or(0)};
}

}  // namespace driftless
