#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>

#include "driftless/base/types.hpp"

namespace driftless {

// How far the runs are: a bar that is redrawn on a terminal, a line now and then elsewhere, or
// nothing. Runs report from many threads.
class Progress {
 public:
  Progress(bool quiet, std::size_t runs, Round total_rounds);

  void rounds_done(Round more);
  void evaluated(double loss);
  // Takes out of the totals what need not be done, because it was done before or is skipped.
  void leave_out(std::size_t runs, Round rounds);
  void run_ended(Round rounds_left_out);  // a run that ended early will not do its other rounds
  void finish();                          // clears the bar

 private:
  using Clock = std::chrono::steady_clock;

  void show(Clock::time_point now);

  const bool quiet_;
  const bool terminal_;
  std::size_t runs_;
  Round total_rounds_;

  std::mutex mutex_;
  Round rounds_ = 0;
  std::size_t ended_ = 0;
  double loss_ = 0;
  bool drawn_ = false;
  const Clock::time_point begin_;
  Clock::time_point next_;
};

}  // namespace driftless
