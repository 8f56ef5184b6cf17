#include "driftless/record/found_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/base/error.hpp"
#include "driftless/base/regular_file.hpp"
#include "driftless/base/version.hpp"
#include "driftless/config/key.hpp"
#include "driftless/config/resumable.hpp"
#include "driftless/record/outputs.hpp"
#include "driftless/record/rows_sum.hpp"
#include "driftless/record/summary_file.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

// How the run ended, as its summary tells; nothing where there is none: it was killed.
std::optional<RunResult> ending(const nlohmann::json& summary) {
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
  const RowRounds rounds = row_rounds(run);
  std::erase_if(rows,
                [&](const Metrics& row) { return row.round > round || !rounds.has(row.round); });
  Round expected = 0;
  for (const Metrics& row : rows) {
    if (row.round != expected) break;
    expected = rounds.after(expected);
  }
  if (expected <= round) {
    throw DataError(
        "{}: the row of round {} is missing or damaged, though the run got "
        "to round {}; begin it again with --force",
        file.string(), expected, round);
  }
  return rows;
}

// Other data would give other bits. Earlier versions did not tell which files they read.
void check_inputs(const fs::path& begun_in, const FileSums& begun, const FileSums& now) {
  if (begun.empty()) return;
  for (const auto& [name, sum] : now) {
    const auto before = begun.find(name);
    if (before != begun.end() && before->second == sum) continue;
    throw ConfigError(
        "--resume: {} is not the file that the run in {} began with: it has {} bytes and the "
        "CRC-32 {:08x}{}; restore it, choose another folder, or --force to begin again",
        name, begun_in.string(), sum.bytes, sum.crc,
        before == begun.end()
            ? ""
            : fmt::format(", not {} and {:08x}", before->second.bytes, before->second.crc));
  }
}

// That the rows before a checkpoint are those which were written. Another version may write other
// columns.
void check_rows(const Checkpoint& from, const std::vector<Metrics>& rows, const fs::path& file,
                const RunConfig& run) {
  if (!from.rows_before || from.version != version()) return;
  if (RowsSum(row_rounds(run), rows).sum() == *from.rows_before) return;
  throw DataError(
      "{}: a row up to round {} is not as the run wrote it; restore the file, or begin the run "
      "again with --force",
      file.string(), from.position.round);
}

// The rows of a run that has ended, which must have left all that its summary names.
std::vector<Metrics> rows_of_ended(const fs::path& folder, const nlohmann::json& summary,
                                   const RunConfig& run, bool finished) {
  check_outputs(folder, summary, Look::all);
  const fs::path file = folder / "metrics.csv";
  if (finished) return rows_until(run.rounds, file, run);
  return read_metrics(file).rows;
}

}  // namespace

FoundRun find_run(const Folder& experiment, const PlannedRun& run, const FileSums& inputs) {
  FoundRun found;
  const std::optional<Folder> there = experiment.find(run.folder);
  if (!there) return found;
  const bool has_config = there->has("config.toml");
  if (!has_config && CheckpointFolder(*there).empty()) return found;

  const ExperimentConfig& config = run.config;
  const fs::path& folder = there->path();
  const nlohmann::json summary = read_summary(folder);
  const std::optional<RunResult> end = ending(summary);
  const bool finished = end && end->outcome == Outcome::finished;
  ExperimentConfig begun = config;
  // Reading a config takes long beside comparing it.
  if (has_config && read_file(folder / "config.toml") != to_toml(config)) {
    begun = load_experiment(folder / "config.toml").runs().front()->config;
    check_config(folder / "config.toml", begun, config, finished ? begun.run.rounds : 0);
  }

  const bool would_diverge_again = end && end->outcome == Outcome::diverged &&
                                   config.run.on_divergence == "stop" &&
                                   begun.run.rounds <= config.run.rounds;
  if ((finished && begun.run.rounds == config.run.rounds) || would_diverge_again) {
    check_inputs(folder, recorded_sums(summary, "inputs"), inputs);
    found.ended = end;
    found.rows = rows_of_ended(folder, summary, config.run, finished);
    if (!found.rows.empty()) found.ended->last = found.rows.back();
    return found;
  }
  found.checkpoint = CheckpointFolder(*there).newest_whole(found.damaged);
  if (found.checkpoint) {
    const Checkpoint& from = *found.checkpoint;
    const RunIdentity& saved = from.identity;
    if (saved.config != to_toml(config)) {
      const ExperimentPlan plan = plan_experiment(saved.config, from.file.string(), folder);
      check_config(from.file, plan.runs().front()->config, config, from.position.round);
    }
    check_inputs(folder, saved.inputs, inputs);
    found.rows = rows_until(from.position.round, folder / "metrics.csv", config.run);
    check_rows(from, found.rows, folder / "metrics.csv", config.run);
  }
  return found;
}

}  // namespace driftless
