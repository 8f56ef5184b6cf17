#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/base/function_ref.hpp"
#include "driftless/record/metrics_file.hpp"
#include "driftless/record/settings_reader.hpp"

namespace driftless {

// What a run has left in its folder so far.
// NOLINTNEXTLINE(bugprone-exception-escape): it sees throws that moving JSON does not reach
struct RecordedRun {
  std::filesystem::path folder;
  std::filesystem::path experiment;  // the folder of its sweep, or its own
  RecordedSettings settings;         // config.toml
  RecordedMetrics metrics;
  nlohmann::json summary;   // null: the run has not ended
  std::string source = {};  // the config that was asked for, where no folder has it

  std::vector<double> column(std::string_view name) const;  // of metrics.csv; NaN: no number
  std::string setting(const std::string& key) const;        // empty where the run has none
  std::string outcome() const;                              // "unfinished" without a summary
};

// The run in each folder, or all runs below it, in the order of their sweep; each once. Throws
// DataError where there is none, or where a file is not what it should be. Threads call `on_read`
// as runs are read: with how many of how many.
using OnRead = std::function<void(std::size_t done, std::size_t all)>;
std::vector<RecordedRun> read_runs(const std::vector<std::filesystem::path>& folders,
                                   const OnRead& on_read = {});

// The same for a reader that goes on: `read` gives the run in a folder, which is `top` or lies
// below it, and is called by several threads at once; `fault` hears of what cannot be read, which
// is left out.
using RunReader =
    FunctionRef<RecordedRun(const std::filesystem::path& folder, const std::filesystem::path& top,
                            SettingsReader& settings)>;
std::vector<RecordedRun> read_runs(const std::vector<std::filesystem::path>& folders,
                                   RunReader read, FunctionRef<void(const std::string&)> fault,
                                   const OnRead& on_read = {});

// The run in a folder, whose sweep is looked for no further up than `top`.
RecordedRun read_run(const std::filesystem::path& folder, const std::filesystem::path& top,
                     SettingsReader& settings);

}  // namespace driftless
