#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driftless/cli/commands.hpp"
#include "driftless/config/plan.hpp"

namespace driftless {

// What `driftless run` was asked for.
struct RunRequest {
  std::filesystem::path config;
  std::vector<std::string> overrides;
  std::filesystem::path out;
  std::optional<int> threads;                // unset: all cores, shared by the ranks of a machine
  std::optional<double> timeout;             // in minutes; unset: that of the runtime
  std::vector<std::filesystem::path> reuse;  // where runs may have been done before
  // Changes the plan before anything else sees it; empty: nothing is to change.
  std::function<void(ExperimentPlan&)> adjust;
  bool force = false;
  bool resume = false;
  bool quiet = false;
  bool dry_run = false;       // tell what would be done
  bool closing_words = true;  // unless quiet: the table, and how to continue
  bool warnings = true;
};

// Adds --out, --threads, --force and --resume.
void add_run_options(CLI::App* command, RunRequest& request, const std::string& default_out);

// Does it, and gives the exit code.
int run_command(const RunRequest& request, const Runtime& runtime);

}  // namespace driftless
