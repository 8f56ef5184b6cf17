#include "driftless/cli/run_request.hpp"

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

std::string quoted(const std::string& word) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./=+:,@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  text += '\'';
  return text;
}

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
void check_shape(const RunRequest& request, bool sweep) {
  const bool holds_sweep = fs::exists(request.out / "experiment.toml");
  const bool holds_one = fs::exists(request.out / "config.toml");
  if (sweep ? !holds_one : !holds_sweep) return;
  throw ConfigError(fmt::format(
      "--resume: {} holds {}, but {} describes {}; choose another folder, or --force to begin "
      "again",
      request.out.string(), sweep ? "a single run" : "a sweep", request.config.string(),
      sweep ? "a sweep" : "a single run"));
}

}  // namespace

std::string resume_command(const RunRequest& request, int ranks) {
  std::string command = ranks > 1 ? fmt::format("mpirun -n {} ", ranks) : "";
  command +=
      fmt::format("{} run {}", quoted(program_invocation_name), quoted(request.config.string()));
  for (const std::string& text : request.overrides)
    command += fmt::format(" --set {}", quoted(text));
  command += fmt::format(" --out {}", quoted(request.out.string()));
  if (request.threads) command += fmt::format(" --threads {}", *request.threads);
  if (request.quiet) command += " --quiet";
  return command + " --resume";
}

std::unique_ptr<Opened> prepare_folder(const RunRequest& request, const ExperimentPlan& plan) {
  const fs::path& out = request.out;
  std::unique_ptr<Opened> lock;
  try {
    if (fs::exists(out)) {
      lock = locked(out);
      if (request.resume) {
        check_shape(request, plan.is_sweep());
      } else if (holds_run(out)) {
        if (!request.force) {
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

std::string told_of(std::span<const FoundRun> found, std::span<const PlannedRun> runs) {
  const auto ended =
      std::ranges::count_if(found, [](const FoundRun& run) { return run.ended.has_value(); });
  const auto begun =
      std::ranges::count_if(found, [](const FoundRun& run) { return run.checkpoint.has_value(); });
  if (found.size() > 1) {
    return fmt::format("resume: of {} runs {} are done, {} continue, {} begin", found.size(), ended,
                       begun, std::ssize(found) - ended - begun);
  }
  if (ended > 0) return "resume: the run is done already";
  if (begun == 0) return "resume: there is no checkpoint, so the run begins";
  return fmt::format("resume: the run continues after round {} of {}",
                     found.front().checkpoint->position.round, runs.front().config.run.rounds);
}

}  // namespace driftless
