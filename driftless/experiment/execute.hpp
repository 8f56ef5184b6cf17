#pragma once

#include <functional>
#include <optional>
#include <span>
#include <variant>

#include "driftless/experiment/checkpoint.hpp"
#include "driftless/experiment/setup.hpp"
#include "driftless/network/runtime.hpp"

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
  // Where the run continues; null: it begins. The first rank's counts.
  virtual const Checkpoint* resumes_from() const { return nullptr; }
  virtual void ended(const RunEnd& end) = 0;
};

// Runs one planned run on the threads of the calling arena. In an MPI job every rank runs it with
// the others, hosting its part of the nodes; each has a recorder, and the first rank's sees the
// models of all nodes at the end.
void execute(const PlannedRun& run, const Setup& setup, RunRecorder& recorder,
             const Runtime& ranks = Runtime());

using MakeRecorder = std::function<std::unique_ptr<RunRecorder>(std::size_t run)>;

// Runs all of them on `threads` threads: runs side by side, and the nodes of a run too where
// threads are left. `make` is called from these threads, when a run begins; a null recorder skips
// the run. In an MPI job runs follow one another, each over all ranks, and all ranks must skip the
// same ones.
void execute_all(std::span<const PlannedRun> runs, const Setup& setup, int threads,
                 const MakeRecorder& make, const Runtime& ranks = Runtime());

}  // namespace driftless
