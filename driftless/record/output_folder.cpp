#include "driftless/record/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "driftless/base/error.hpp"
#include "driftless/record/checkpoint_folder.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

// What runs and sweeps write.
constexpr std::array file_names{"config.toml", "metrics.csv",     "summary.json", "model.npy",
                                "nodes.npy",   "experiment.toml", "tune.csv"};

void remove_files(const fs::path& folder) {
  for (const std::string name : file_names) {
    fs::remove(folder / name);
    fs::remove(folder / (name + ".partial"));  // of a program that was killed
  }
  CheckpointFolder(folder).remove_all();
}

// "kind=k-gt,heterogeneity=10", "base", "rep-2" or "tune": how a sweep names the folders in its
// own.
bool is_named_by_a_sweep(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name.find('=') != std::string::npos || name.starts_with("rep-") || name == "base" ||
         name == "tune";
}

// Deepest first, so that a folder which this empties goes too.
void remove_sweep_folders(const fs::path& folder) {
  const std::vector<fs::directory_entry> entries(fs::directory_iterator(folder), {});
  for (const fs::directory_entry& inner : entries) {
    if (!inner.is_directory() || inner.is_symlink() || !is_named_by_a_sweep(inner)) continue;
    remove_sweep_folders(inner);
    remove_files(inner);
    if (fs::is_empty(inner)) fs::remove(inner);
  }
}

// Removes what an earlier run or sweep left in its folder, by the names of its files, and nothing
// else.
void remove_runs(const fs::path& top) {
  // Only a sweep has runs in folders below; elsewhere they are runs of their own.
  if (fs::exists(top / "experiment.toml")) remove_sweep_folders(top);
  remove_files(top);
}

[[noreturn]] void refuse(const fs::path& out, std::string_view why) {
  throw ConfigError("--out {}: {}", out.string(), why);
}

std::unique_ptr<Opened> locked(const fs::path& out) {
  if (!fs::is_directory(out)) refuse(out, "is a file, not a folder; choose another");
  auto folder = std::make_unique<Opened>(out, O_RDONLY | O_DIRECTORY);
  if (folder->lock()) return folder;
  refuse(out, "another driftless is at work there; wait for its end, or choose another folder");
}

// A sweep does not continue a single run, nor a run a sweep: they lie in different folders.
void check_shape(const fs::path& out, const ExperimentPlan& plan) {
  const bool sweep = plan.is_sweep();
  const bool holds_sweep = fs::exists(out / "experiment.toml");
  const bool holds_one = fs::exists(out / "config.toml");
  if (sweep ? !holds_one : !holds_sweep) return;
  throw ConfigError(
      "--resume: {} holds {}, but {} describes {}; choose another folder, or --force to begin "
      "again",
      out.string(), sweep ? "a single run" : "a sweep", plan.source_name,
      sweep ? "a sweep" : "a single run");
}

}  // namespace

std::unique_ptr<Opened> prepare_folder(const Output& output, const ExperimentPlan& plan) {
  const fs::path& out = output.folder;
  std::unique_ptr<Opened> lock;
  try {
    if (!fs::exists(out)) fs::create_directories(out);
    lock = locked(out);
    const auto is_there = [&](const char* name) { return fs::exists(out / name); };
    if (output.resume) {
      check_shape(out, plan);
    } else if (std::ranges::any_of(file_names, is_there)) {
      if (!output.force) {
        refuse(out,
               "already holds a run; choose another folder, --resume to continue it, or --force to "
               "replace it");
      }
      remove_runs(out);
    }
  } catch (const std::system_error& error) {
    refuse(out,
           fmt::format("the folder cannot be made: {}; choose another", error.code().message()));
  }
  if (access(out.c_str(), W_OK) != 0) refuse(out, "cannot be written to; choose another folder");
  return lock;
}

}  // namespace driftless
