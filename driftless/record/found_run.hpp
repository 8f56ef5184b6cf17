#pragma once

#include <optional>
#include <vector>

#include "driftless/config/plan.hpp"
#include "driftless/experiment/run.hpp"
#include "driftless/record/checkpoint_folder.hpp"

namespace driftless {

// What the folder of a planned run holds already, of a program that was ended or killed.
struct FoundRun {
  std::optional<RunResult> ended = {};        // it has nothing left to do
  std::optional<Checkpoint> checkpoint = {};  // it continues here; none: it begins
  std::vector<Metrics> rows = {};             // of what was done
  std::vector<DamagedFile> damaged = {};      // newer checkpoints that are of no use
};

// `experiment` is the folder that the plan's folders are seen from; `inputs` are the files that the
// run's config names. Throws ConfigError where the folder holds another run than this one, and
// DataError where its files cannot be read, were changed, or are damaged beyond use.
FoundRun find_run(const Folder& experiment, const PlannedRun& run, const FileSums& inputs);

}  // namespace driftless
