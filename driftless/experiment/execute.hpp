#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "driftless/experiment/run.hpp"
#include "driftless/experiment/setup.hpp"
#include "driftless/network/runtime.hpp"

namespace driftless {

using RunObservers = std::vector<std::unique_ptr<RunObserver>>;

// Who follows one run, and where it continues.
struct Followers {
  RunObservers observers;
  std::optional<Checkpoint> from = {};  // none: the run begins
};

struct ExecuteOptions {
  int threads = 1;
  // Asked after every round and before every run, in every process: whether to stop.
  std::function<bool()> wants_stop = [] { return false; };
  // Called in the first process when a run begins, from any thread.
  std::function<Followers(const PlannedRun&)> follow = [](const PlannedRun&) {
    return Followers{};
  };
};

// Does the planned runs on threads: runs side by side, and the nodes of a run too where threads are
// left. Over several processes runs follow one another, each over all processes, which all call
// this with the same runs; the first process's followers see the models of all nodes at the end.
void execute(std::span<const PlannedRun* const> runs, const Setup& setup, const Runtime& runtime,
             const ExecuteOptions& options);

}  // namespace driftless
