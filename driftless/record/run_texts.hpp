#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "driftless/config/plan.hpp"
#include "driftless/experiment/run.hpp"
#include "driftless/record/recorded_run.hpp"

namespace driftless {

// What a run's folder holds, without the folder: for runs that leave no files, and for processes
// that may not see those of the first one.
struct RunTexts {
  std::string config = {};   // config.toml
  std::string metrics = {};  // metrics.csv
  std::string summary = {};  // summary.json; empty: the run has not ended
  std::filesystem::path folder = {};
  std::filesystem::path experiment = {};
  std::string source = {};  // the config that was asked for
};

// As if it was read from files.
RecordedRun recorded(const RunTexts& texts);

// A run's models, one after the other, and their mean.
template <class Real>
struct KeptModels {
  std::vector<Real> all;
  std::vector<Real> mean;
};

// A run that is kept in memory. It may be asked when the run has ended.
struct KeptRun {
  RunTexts texts;
  Index dim = 0;
  std::variant<KeptModels<double>, KeptModels<float>> models = {};
};

// What a folder holds of a run, models included if it has ended.
KeptRun read_kept_run(const std::filesystem::path& folder);

// Keeps what a run would leave in its folder.
std::unique_ptr<RunObserver> keep_run(const PlannedRun& run, int threads, KeptRun& kept);

}  // namespace driftless
