#pragma once

#include <functional>
#include <optional>
#include <span>
#include <variant>

#include "driftless/experiment/run.hpp"
#include "driftless/experiment/setup.hpp"

namespace driftless {

// Models as the run had them: networks are trained in float, all else in double.
using Numbers = std::variant<std::span<const float>, std::span<const double>>;

// What is left when a run ends.
struct RunEnd {
  const RunResult& result;
  const PreparedNetwork& network;
  const Traffic& traffic;
  Index dim;
  std::optional<double> smoothness;
  std::optional<double> optimal_value;
  Numbers models;  // one after the other
  Numbers mean_model;
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
