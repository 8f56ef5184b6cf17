#include "driftless/record/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "driftless/base/error.hpp"
#include "driftless/record/run_folder.hpp"

namespace driftless {

namespace {

namespace fs = std::filesystem;

std::unique_ptr<Opened> locked(const fs::path& out) {
  if (!fs::is_directory(out)) {
    throw ConfigError(
        fmt::format("--out {}: is a file, not a folder; choose another", out.string()));
  }
  auto folder = std::make_unique<Opened>(out, O_RDONLY | O_DIRECTORY);
  if (!folder->lock()) {
    throw ConfigError(
        fmt::format("--out {}: another driftless is at work there; wait for its end, or choose "
                    "another folder",
                    out.string()));
  }
  return folder;
}

// A sweep does not continue a single run, nor a run a sweep: they lie in different folders.
void check_shape(const fs::path& out, const ExperimentPlan& plan) {
  const bool sweep = plan.is_sweep();
  const bool holds_sweep = fs::exists(out / "experiment.toml");
  const bool holds_one = fs::exists(out / "config.toml");
  if (sweep ? !holds_one : !holds_sweep) return;
  throw ConfigError(fmt::format(
      "--resume: {} holds {}, but {} describes {}; choose another folder, or --force to begin "
      "again",
      out.string(), sweep ? "a single run" : "a sweep", plan.source_name,
      sweep ? "a sweep" : "a single run"));
}

}  // namespace

std::unique_ptr<Opened> prepare_folder(const Output& output, const ExperimentPlan& plan) {
  const fs::path& out = output.folder;
  std::unique_ptr<Opened> lock;
  try {
    if (fs::exists(out)) {
      lock = locked(out);
      if (output.resume) {
        check_shape(out, plan);
      } else if (holds_run(out)) {
        if (!output.force) {
          throw ConfigError(
              fmt::format("--out {}: already holds a run; choose another folder, --resume to "
                          "continue it, or --force to replace it",
                          out.string()));
        }
        remove_runs(out);
      }
    } else {
      fs::create_directories(out);
      lock = locked(out);
    }
  } catch (const std::system_error& error) {
    throw ConfigError(fmt::format("--out {}: the folder cannot be made: {}; choose another",
                                  out.string(), error.code().message()));
  }
  if (access(out.c_str(), W_OK) != 0) {
    throw ConfigError(
        fmt::format("--out {}: cannot be written to; choose another folder", out.string()));
  }
  return lock;
}

}  // namespace driftless
