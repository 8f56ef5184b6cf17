#include "driftless/record/found_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/base/error.hpp"
#include "driftless/config/resumable.hpp"
#include "driftless/record/checkpoint_folder.hpp"
#include "driftless/record/metrics_file.hpp"
#include "driftless/record/summary_file.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

// How the run ended, as its summary tells; nothing where there is none: it was killed.
std::optional<RunResult> summarised(const fs::path& folder) {
  const nlohmann::json summary = read_summary(folder);
  if (summary.is_null()) return std::nullopt;
  const auto text = [&](const char* key) {
    const auto found = summary.find(key);
    return found != summary.end() && found->is_string() ? found->get<std::string>() : "";
  };
  for (const Outcome known : {Outcome::finished, Outcome::diverged, Outcome::interrupted}) {
    if (text("outcome") == name_of(known))
      return RunResult{.outcome = known, .diagnosis = text("diagnosis"), .last = {}};
  }
  return std::nullopt;
}

// One bit differs in what follows, so nothing is continued.
void check_config(const fs::path& file, const ExperimentConfig& begun, const ExperimentConfig& now,
                  Round rounds_done) {
  const std::string why = why_not_resumable(begun, now, rounds_done);
  if (why.empty()) return;
  throw ConfigError(
      "--resume: {} is of another run: {}; give it the same config, choose another folder, or "
      "--force to begin again",
      file.string(), why);
}

// The rows that an undisturbed run would have written by then. One more may be there, of the
// round at which the run was stopped or had been going to end.
std::vector<Metrics> rows_until(Round round, const fs::path& file, const RunConfig& run) {
  std::vector<Metrics> rows = read_metrics(file).rows;
  std::erase_if(rows, [&](const Metrics& row) {
    return row.round > round || !has_row(row.round, run.rounds, run.evaluate_every);
  });
  Round expected = 0;
  for (const Metrics& row : rows) {
    if (row.round != expected) break;
    expected = std::min(expected + run.evaluate_every, std::max(run.rounds, expected + 1));
  }
  if (expected <= round) {
    throw DataError(
        "{}: the row of round {} is missing or damaged, though the run got "
        "to round {}; begin it again with --force",
        file.string(), expected, round);
  }
  return rows;
}

}  // namespace

FoundRun find_run(const fs::path& folder, const ExperimentConfig& config) {
  FoundRun found;
  const fs::path config_file = folder / "config.toml";
  if (!fs::exists(config_file)) return found;
  const ExperimentConfig begun = load_experiment(config_file).runs().front()->config;
  const std::optional<RunResult> end = summarised(folder);
  const bool finished = end && end->outcome == Outcome::finished;
  check_config(config_file, begun, config, finished ? begun.run.rounds : 0);

  const bool would_diverge_again = end && end->outcome == Outcome::diverged &&
                                   config.run.on_divergence == "stop" &&
                                   begun.run.rounds <= config.run.rounds;
  if ((finished && begun.run.rounds == config.run.rounds) || would_diverge_again) {
    found.ended = end;
    found.rows = read_metrics(folder / "metrics.csv").rows;
    if (!found.rows.empty()) found.ended->last = found.rows.back();
    return found;
  }
  found.checkpoint = CheckpointFolder(folder).newest_whole(found.warnings);
  if (found.checkpoint) {
    const Checkpoint& from = *found.checkpoint;
    const ExperimentPlan saved = plan_experiment(from.config, from.file.string(), folder);
    check_config(from.file, saved.runs().front()->config, config, from.position.round);
    found.rows = rows_until(from.position.round, folder / "metrics.csv", config.run);
  }
  return found;
}

}  // namespace driftless
