#pragma once

#include <functional>

#include "driftless/experiment/run.hpp"
#include "driftless/experiment/setup.hpp"

namespace driftless {

// What is left when a run ends.
struct RunEnd {
  const RunResult& result;
  const PreparedNetwork& network;
  const Problem<double>& problem;
  const Traffic& traffic;
  const Rows<double>& models;
  const Vector<double>& mean_model;
};

// Follows one run from its first row to its end.
class RunRecorder : public RunObserver {
 public:
  virtual void ended(const RunEnd& end) = 0;
};

// Runs one planned run on the threads of the calling arena.
void execute(const PlannedRun& run, const Setup& setup, RunRecorder& recorder);

using MakeRecorder = std::function<std::unique_ptr<RunRecorder>(std::size_t run)>;

// Runs the whole plan on `threads` threads: runs side by side, and the nodes of a run too where
// threads are left. `make` is called from these threads, when a run begins; a null recorder skips
// the run.
void execute_all(const ExperimentPlan& plan, const Setup& setup, int threads,
                 const MakeRecorder& make);

}  // namespace driftless
