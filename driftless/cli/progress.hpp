#pragma once

#include <chrono>
#include <mutex>

#include "driftless/base/function_ref.hpp"
#include "driftless/record/how_far.hpp"

namespace driftless {

// Shows how far the runs are: a bar that is redrawn on a terminal, a line now and then elsewhere,
// or nothing.
class Progress {
 public:
  explicit Progress(bool quiet);

  // Shows it if it is time to; `now` is asked then. Called from many threads.
  void show_when_due(FunctionRef<HowFar()> now);
  void finish();  // clears the bar

 private:
  using Clock = std::chrono::steady_clock;

  const bool quiet_;
  const bool terminal_;

  std::mutex mutex_;
  bool drawn_ = false;
  Clock::time_point next_;
};

}  // namespace driftless
