#pragma once

#include <chrono>
#include <filesystem>

#include "driftless/experiment/run.hpp"
#include "driftless/record/checkpoint_folder.hpp"
#include "driftless/record/csv.hpp"
#include "driftless/record/found_run.hpp"

namespace driftless {

// What a run leaves in its folder: config.toml and metrics.csv from the beginning, checkpoints on
// the way, and at its end model.npy, nodes.npy and, last, summary.json: a folder with a summary
// holds a whole run.
class RunFolder final : public RunObserver {
 public:
  // Continues what was found of the run, or else begins it.
  RunFolder(std::filesystem::path folder, const PlannedRun& run, int threads,
            const FoundRun& found = {});

  void evaluated(const Metrics& row) override;
  std::filesystem::path saving(const RunPosition& at) override;
  void saved(const RunPosition& at) override;
  void ended(const RunEnd& end) override;

 private:
  std::filesystem::path folder_;
  const PlannedRun& run_;
  int threads_;
  Metrics last_row_;
  CheckpointFolder checkpoints_;
  CsvFile metrics_;
  std::chrono::steady_clock::time_point flushed_;
};

}  // namespace driftless
