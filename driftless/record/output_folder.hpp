#pragma once

#include <filesystem>
#include <vector>

#include "driftless/base/folder.hpp"
#include "driftless/config/plan.hpp"

namespace driftless {

// Where an experiment leaves its results, and what is to be done with what lies there.
struct Output {
  std::filesystem::path folder;
  bool force = false;   // replace it
  bool resume = false;  // continue it
};

// The folder of an experiment, for this program alone as long as this lives.
struct OutputFolder {
  Folder folder;
  std::vector<Folder> sweeps_above;  // that it lies in: no program may work on them meanwhile
};

// Makes the folder, or throws ConfigError with the reason why it cannot be used, before anything
// is computed.
OutputFolder prepare_folder(const Output& output, const ExperimentPlan& plan);

}  // namespace driftless
