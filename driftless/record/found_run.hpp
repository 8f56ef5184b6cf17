#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "driftless/config/plan.hpp"
#include "driftless/experiment/run.hpp"

namespace driftless {

// What the folder of a planned run holds already, of a program that was ended or killed.
struct FoundRun {
  std::optional<RunResult> ended = {};        // it has nothing left to do
  std::optional<Checkpoint> checkpoint = {};  // it continues here; none: it begins
  std::vector<Metrics> rows = {};             // of what was done
  std::vector<std::string> warnings = {};     // checkpoints that could not be used, a line each
};

// Throws ConfigError where the folder holds another run than this one, and DataError where its
// files are damaged beyond use.
FoundRun find_run(const std::filesystem::path& folder, const ExperimentConfig& config);

}  // namespace driftless
