#pragma once

#include "driftless/cli/progress.hpp"
#include "driftless/cli/run.hpp"
#include "driftless/record/experiment_count.hpp"

namespace driftless {

// An experiment as a person at a terminal follows it: what is resumed, how far it is, how it ended.
class ToldExperiment final : public ExperimentCount {
 public:
  ToldExperiment(const ExperimentPlan& plan, const RunRequest& request, const Runtime& runtime);

  void found(std::span<const PlannedRun* const> runs, std::span<const FoundRun> found) override;

  // The closing words. Gives the exit code; a signal that stopped the runs is part of it.
  int end(const Results& results, int signal);

 private:
  void counted() override;
  void tell_diagnoses(const Results& results) const;
  bool tell_untuned(const Results& results) const;
  void tell_table(const Results& results) const;

  const ExperimentPlan& plan_;
  const RunRequest& request_;
  const Runtime& runtime_;
  bool told_;
  bool told_found_ = false;
  Progress progress_;
};

}  // namespace driftless
