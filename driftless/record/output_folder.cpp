#include "driftless/record/output_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <new>
#include <system_error>

#include "driftless/base/error.hpp"
#include "driftless/record/checkpoint_folder.hpp"
#include "driftless/record/manifest.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

// What runs and sweeps write. They are removed in this order: what tells what a folder is goes
// last, so that a removal that was interrupted can be told from a run, and done again.
constexpr std::array file_names{"tune.csv",    "model.json",      "model.npy",
                                "nodes.npy",   "metrics.csv",     "summary.json",
                                "config.toml", "experiment.toml", "manifest.json"};

void remove_files(const Folder& folder) {
  CheckpointFolder(folder).remove_all();
  for (const std::string name : file_names) {
    folder.remove(name);
    folder.remove(name + ".partial");  // of a program that was killed
  }
}

// Throws std::system_error where files cannot be removed because the way to them is a link.
void check_removable(const Folder& folder) {
  const CheckpointFolder checkpoints(folder);
  if (!holds_sweep(folder)) return;
  for (const fs::path& listed : listed_runs(folder))
    if (const auto run = folder.find(listed)) const CheckpointFolder of_run(*run);
}

// Removes the runs that the sweep has listed, and the folders that this empties.
void remove_listed_runs(const Folder& sweep) {
  for (const fs::path& listed : listed_runs(sweep)) {
    if (const auto run = sweep.find(listed)) remove_files(*run);
    for (fs::path emptied = listed; !emptied.empty(); emptied = emptied.parent_path()) {
      if (const auto above = sweep.find(emptied.parent_path()))
        above->remove_if_empty(emptied.filename().string());
    }
  }
}

[[noreturn]] void refuse(const fs::path& out, std::string_view why) {
  throw ConfigError("--out {}: {}", out.string(), why);
}

constexpr const char* busy =
    "another driftless is at work there; wait for its end, or choose another folder";

Folder locked(const fs::path& out) {
  if (fs::exists(out) && !fs::is_directory(out))
    refuse(out, "is a file, not a folder; choose another");
  Folder folder = Folder::make(out);
  if (!folder.opened().lock()) refuse(out, busy);
  return folder;
}

// A sweep makes folders of its own some levels deep, and must not find a stranger in them.
std::vector<Folder> locked_sweeps_above(const fs::path& out) {
  constexpr int levels = 4;  // combination/tune/candidate/rep-1
  std::vector<Folder> sweeps;
  fs::path above = fs::canonical(out).parent_path();
  for (int k = 0; k < levels && above.has_filename(); ++k, above = above.parent_path()) {
    if (!fs::exists(above / "experiment.toml")) continue;
    if (!sweeps.emplace_back(above).opened().lock_shared()) refuse(above, busy);
  }
  return sweeps;
}

// A sweep does not continue a single run, nor a run a sweep: they lie in different folders.
void check_shape(const Folder& out, const ExperimentPlan& plan) {
  const bool sweep = plan.is_sweep();
  if (sweep ? !out.has("config.toml") : !holds_sweep(out)) return;
  throw ConfigError(
      "--resume: {} holds {}, but {} describes {}; choose another folder, or --force to begin "
      "again",
      out.path().string(), sweep ? "a single run" : "a sweep", plan.source_name,
      sweep ? "a sweep" : "a single run");
}

// The folder, made and locked, if it can be used.
OutputFolder usable_folder(const Output& output, const ExperimentPlan& plan) {
  const fs::path& out = output.folder;
  try {
    OutputFolder prepared{.folder = locked(out), .sweeps_above = locked_sweeps_above(out)};
    const Folder& folder = prepared.folder;
    const auto is_there = [&](const char* name) { return folder.has(name); };
    const bool holds_run =
        std::ranges::any_of(file_names, is_there) || !CheckpointFolder(folder).empty();
    if (output.resume) {
      check_shape(folder, plan);
    } else if (holds_run && !output.force) {
      refuse(out,
             "already holds a run; choose another folder, --resume to continue it, or --force to "
             "replace it");
    }
    if (output.force) check_removable(folder);
    if (access(out.c_str(), W_OK) != 0) refuse(out, "cannot be written to; choose another folder");
    return prepared;
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::not_enough_memory) throw std::bad_alloc();
    refuse(out, fmt::format("cannot be used: {}; choose another folder", error.what()));
  }
}

}  // namespace

OutputFolder prepare_folder(const Output& output, const ExperimentPlan& plan) {
  OutputFolder prepared = usable_folder(output, plan);
  if (output.force) {  // what fails from here on has begun to change the folder: it is no refusal
    if (holds_sweep(prepared.folder)) remove_listed_runs(prepared.folder);
    remove_files(prepared.folder);
  }
  return prepared;
}

}  // namespace driftless
