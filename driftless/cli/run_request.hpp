#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/base/file.hpp"
#include "driftless/config/sweep_plan.hpp"
#include "driftless/network/runtime.hpp"
#include "driftless/record/found_run.hpp"

namespace driftless {

// What `driftless run` was asked for.
struct RunRequest {
  std::filesystem::path config;
  std::vector<std::string> overrides;
  std::filesystem::path out;
  std::optional<int> threads;  // unset: all cores, shared by the ranks of a machine
  bool force = false;
  bool resume = false;
  bool quiet = false;
  bool closing_words = true;  // unless quiet: the table, and how to continue
};

// Does it, and gives the exit code.
int run_command(const RunRequest& request, const Runtime& ranks);

// The command line that continues it, for a shell to read.
std::string resume_command(const RunRequest& request, int ranks);

// Makes the folder, or throws ConfigError with the reason why it cannot be used, before anything
// is computed. What it returns keeps others out as long as it lives.
std::unique_ptr<Opened> prepare_folder(const RunRequest& request, const ExperimentPlan& plan);

// How much of the runs is done, as a line for the user.
std::string told_of(std::span<const FoundRun> found, std::span<const PlannedRun> runs);

}  // namespace driftless
