#pragma once

#include <chrono>
#include <mutex>

#include "driftless/record/experiment_run.hpp"
#include "driftless/record/how_far.hpp"

namespace driftless {

// Counts how far an experiment is. Runs report from many threads.
class ExperimentCount : public ExperimentListener {
 public:
  explicit ExperimentCount(const ExperimentPlan& plan);

  void found(std::span<const PlannedRun* const> runs, std::span<const FoundRun> found) override;
  void taken_over(const PlannedRun& run) override;
  void added(const PlannedRun& run) override;
  void skipped(const PlannedRun& run) override;
  void follow(const PlannedRun& run, RunObservers& observers) override;

  HowFar now() const;

 private:
  class Counting;

  // A round was done; called from any thread.
  virtual void counted() {}
  template <class Change>
  void change(const Change& change_it) {
    const std::lock_guard lock(mutex_);
    change_it(far_);
  }

  mutable std::mutex mutex_;
  HowFar far_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace driftless
