#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <mutex>
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

// Shows how far the runs are: a bar that is redrawn on a terminal, a line now and then elsewhere,
// or nothing. Runs report from many threads.
class Progress {
 public:
  Progress(bool quiet, std::size_t runs, Round rounds);

  void rounds_done(Round more);
  void evaluated(double loss);
  void done_before(std::size_t runs, Round rounds);  // by an earlier program
  void add(std::size_t runs, Round rounds);          // to the totals
  void leave_out(std::size_t runs, Round rounds);    // of the totals: they will not be done
  void run_ended(Round rounds_left_out);  // a run that ended early will not do its other rounds
  void finish();                          // clears the bar

 private:
  using Clock = std::chrono::steady_clock;

  void show(Clock::time_point now);

  const bool quiet_;
  const bool terminal_;

  std::mutex mutex_;
  HowFar far_;
  bool drawn_ = false;
  const Clock::time_point begin_;
  Clock::time_point next_;
};

}  // namespace driftless
