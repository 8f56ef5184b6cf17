#pragma once

#include <chrono>

#include "driftless/experiment/run.hpp"
#include "driftless/record/checkpoint_folder.hpp"
#include "driftless/record/csv.hpp"
#include "driftless/record/found_run.hpp"
#include "driftless/record/rows_sum.hpp"

namespace driftless {

// What a run leaves in its folder: config.toml and metrics.csv from the beginning, checkpoints on
// the way, and at its end model.npy, nodes.npy and, last, summary.json: a folder with a summary
// holds a whole run.
class RunFolder final : public RunObserver {
 public:
  // Continues what was found of the run, or else begins it. The folder is locked meanwhile.
  RunFolder(Folder folder, const PlannedRun& run, int threads, const FoundRun& found = {});

  void evaluated(const Metrics& row) override;
  SavePlace saving(const RunPosition& at) override;
  void saved(const RunPosition& at) override;
  void ended(const RunEnd& end) override;

 private:
  Folder folder_;
  const PlannedRun& run_;
  int threads_;
  Metrics last_row_;
  CheckpointFolder checkpoints_;
  CsvFile metrics_;
  RowsSum rows_;
  std::chrono::steady_clock::time_point flushed_;
};

}  // namespace driftless
