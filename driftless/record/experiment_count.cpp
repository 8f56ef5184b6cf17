#include "driftless/record/experiment_count.hpp"

namespace driftless {

class ExperimentCount::Counting final : public RunObserver {
 public:
  Counting(ExperimentCount& count, Round rounds) : count_(count), rounds_(rounds) {}
  void evaluated(const Metrics& row) override {
    count_.change([&](HowFar& far) { far.loss = row.loss; });
  }
  void round_done(Round) override {
    count_.change([](HowFar& far) { ++far.done; });
    count_.counted();
  }
  void ended(const RunEnd& end) override {
    count_.change([&](HowFar& far) {
      ++far.ended;
      far.rounds -= rounds_ - end.result.last.round;  // a run that ended early will not do them
    });
  }

 private:
  ExperimentCount& count_;
  Round rounds_;
};

ExperimentCount::ExperimentCount(const ExperimentPlan& plan) {
  for (const PlannedRun* run : plan.all_runs()) {
    ++far_.runs;
    far_.rounds += run->config.run.rounds;
  }
}

void ExperimentCount::found(std::span<const PlannedRun* const> runs,
                            std::span<const FoundRun> found) {
  change([&](HowFar& far) {
    for (std::size_t k = 0; k < runs.size(); ++k) {
      Round before = 0;
      if (found[k].ended) {
        ++far.ended;
        before = runs[k]->config.run.rounds;
      } else if (found[k].checkpoint) {
        before = found[k].checkpoint->position.round;
      }
      far.done += before;
      far.done_before += before;
    }
  });
}

void ExperimentCount::taken_over(const PlannedRun& run) {
  change([&](HowFar& far) {
    ++far.ended;
    far.done += run.config.run.rounds;
    far.done_before += run.config.run.rounds;
  });
}

void ExperimentCount::added(const PlannedRun& run) {
  change([&](HowFar& far) {
    ++far.runs;
    far.rounds += run.config.run.rounds;
  });
}

void ExperimentCount::skipped(const PlannedRun& run) {
  change([&](HowFar& far) {
    --far.runs;
    far.rounds -= run.config.run.rounds;
  });
}

void ExperimentCount::follow(const PlannedRun& run, RunObservers& observers) {
  observers.push_back(std::make_unique<Counting>(*this, run.config.run.rounds));
}

HowFar ExperimentCount::now() const {
  const std::lock_guard lock(mutex_);
  HowFar far = far_;
  far.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  return far;
}

}  // namespace driftless
