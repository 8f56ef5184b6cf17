#include "driftless/record/watched_runs.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace driftless {
namespace {

namespace fs = std::filesystem;

// The files that a report is made of.
constexpr std::array watched_names{"config.toml", "experiment.toml", "metrics.csv", "summary.json"};
constexpr std::int64_t nanoseconds_of_second = 1'000'000'000;

}  // namespace

// "runs/" is "runs", as the runs are named.
WatchedRuns::WatchedRuns(std::vector<fs::path> folders) : folders_(std::move(folders)) {
  for (fs::path& folder : folders_)
    if (!folder.has_filename()) folder = folder.parent_path();
}

WatchedRuns::Files WatchedRuns::files_in(const fs::path& folder) {
  Files files;
  for (const std::string name : watched_names) {
    struct stat found {};
    if (::stat((folder / name).c_str(), &found) != 0) continue;
    files[name] = {
        .nanoseconds = found.st_mtim.tv_sec * nanoseconds_of_second + found.st_mtim.tv_nsec,
        .bytes = static_cast<std::uint64_t>(found.st_size),
        .number = found.st_ino};
  }
  return files;
}

// False: there is no run.
bool WatchedRuns::add_files(const fs::path& top, Stamps& stamps) {
  bool holds_run = false;
  const auto add = [&](const fs::path& folder) {
    Files files = files_in(folder);
    holds_run |= files.contains("config.toml") && files.contains("metrics.csv");
    if (!files.empty()) stamps[folder] = std::move(files);
  };
  add(top);
  if (holds_run) return true;
  std::error_code gone;  // folders may vanish meanwhile, and are then missed at the next look
  for (fs::recursive_directory_iterator entry(top, gone), end; entry != end;
       entry.increment(gone)) {
    if (entry->path().filename() == "tune") entry.disable_recursion_pending();
    if (entry->is_directory(gone)) add(entry->path());
  }
  return holds_run;
}

bool WatchedRuns::look() {
  Stamps now;
  std::vector<fs::path> there;
  awaited_.clear();
  for (const fs::path& folder : folders_)
    (add_files(folder, now) ? there : awaited_).push_back(folder);
  if (std::exchange(looked_, true) && stamps_ == now) return false;
  stamps_.swap(now);
  read(there, now);
  return true;
}

void WatchedRuns::read(const std::vector<fs::path>& there, const Stamps& before) {
  std::map<fs::path, RecordedRun*> unchanged;
  for (RecordedRun& run : runs_) {
    const auto then = before.find(run.folder);
    const auto now = stamps_.find(run.folder);
    if (then != before.end() && now != stamps_.end() && then->second == now->second)
      unchanged.emplace(run.folder, &run);
  }
  const auto known_or_read = [&](const fs::path& folder, const fs::path& top,
                                 SettingsReader& settings) {
    const auto known = unchanged.find(folder);
    return known == unchanged.end() ? read_run(folder, top, settings) : std::move(*known->second);
  };
  faults_.clear();
  try {
    runs_ = read_runs(there, known_or_read,
                      [&](const std::string& fault) { faults_.push_back(fault); });
  } catch (const std::exception& error) {
    runs_.clear();  // some have been moved away
    faults_.emplace_back(error.what());
  }
}

std::optional<double> WatchedRuns::seconds_since_row() const {
  std::int64_t newest = 0;
  for (const RecordedRun& run : runs_) {
    const auto found = stamps_.find(run.folder);
    if (!run.summary.is_null() || found == stamps_.end()) continue;
    newest = std::max(newest, found->second.at("metrics.csv").nanoseconds);
  }
  if (newest == 0) return std::nullopt;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now - std::chrono::nanoseconds(newest)).count();
}

}  // namespace driftless
