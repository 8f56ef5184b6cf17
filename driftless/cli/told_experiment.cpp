#include "driftless/cli/told_experiment.hpp"

#include <errno.h>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "driftless/cli/commands.hpp"
#include "driftless/record/closing_table.hpp"
#include "driftless/record/result_text.hpp"

namespace driftless {
namespace {

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

// The command line that continues a run, for a shell to read.
std::string resume_command(const RunRequest& request, int ranks) {
  std::string command = ranks > 1 ? fmt::format("mpirun -n {} ", ranks) : "";
  command +=
      fmt::format("{} run {}", quoted(program_invocation_name), quoted(request.config.string()));
  for (const std::string& text : request.overrides)
    command += fmt::format(" --set {}", quoted(text));
  command += fmt::format(" --out {}", quoted(request.out.string()));
  for (const auto& folder : request.reuse)
    command += fmt::format(" --reuse {}", quoted(folder.string()));
  if (request.threads) command += fmt::format(" --threads {}", *request.threads);
  if (request.timeout) command += fmt::format(" --timeout {}", *request.timeout);
  if (request.quiet) command += " --quiet";
  return command + " --resume";
}

// How much of the runs is done, as a line for the user.
std::string told_of(std::span<const FoundRun> found, std::span<const PlannedRun* const> runs) {
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
                     found.front().checkpoint->position.round, runs.front()->config.run.rounds);
}

// What stands beside a mean in the closing table.
std::string meaning_of_spread(std::int64_t repetitions) {
  if (repetitions == 1) return "";
  if (static_cast<std::size_t>(repetitions) < fewest_for_an_interval)
    return fmt::format("; in brackets, the range of the {} repetitions", repetitions);
  return fmt::format(", ± the 95 % interval of the mean over {} repetitions", repetitions);
}

// What to know of the closing table's tuned values, in lines.
std::string tuning_note(const Tuning& tuning, const Results& results) {
  const TuneConfig& config = tuning.config;
  std::string text = fmt::format(
      "tuned: the best {} ({}) of {} points, {} tuning run{} each on seeds of their own\n",
      *config.metric, *config.read, results.front().candidates.size(), *config.repetitions,
      *config.repetitions == 1 ? "" : "s");
  const bool edge = std::ranges::any_of(results, [&](const CombinationResult& result) {
    return result.chosen && !keys_at_edge(tuning, *result.plan, *result.chosen).empty();
  });
  if (edge) text += "edge: the least or the greatest of its grid; a wider grid may do better\n";
  return text;
}

}  // namespace

ToldExperiment::ToldExperiment(const ExperimentPlan& plan, const RunRequest& request,
                               const Runtime& runtime)
    : ExperimentCount(plan),
      plan_(plan),
      request_(request),
      runtime_(runtime),
      told_(runtime.first() && !request.quiet),
      progress_(!told_) {}

void ToldExperiment::found(std::span<const PlannedRun* const> runs,
                           std::span<const FoundRun> found) {
  ExperimentCount::found(runs, found);
  for (const FoundRun& run : found) {
    for (const DamagedFile& file : run.damaged) {
      say("driftless: warning: {}; it is not used, and kept as {}.damaged\n", file.fault,
          file.name);
    }
  }
  // Points beyond the grid come one by one: those that are done are no news.
  const bool news = !std::ranges::all_of(found, [](const FoundRun& run) { return !!run.ended; });
  if (!request_.quiet && (news || !told_found_)) say("driftless: {}\n", told_of(found, runs));
  told_found_ = true;
}

void ToldExperiment::counted() {
  progress_.show_when_due([this] { return now(); });
}

// Of the runs that diverged; the first few tell the story.
void ToldExperiment::tell_diagnoses(const Results& results) const {
  constexpr int told = 5;
  int count = 0;
  for (const CombinationResult& result : results) {
    for (std::size_t k = 0; k < result.runs.size(); ++k) {
      const std::string& diagnosis = result.runs[k].diagnosis();
      if (diagnosis.empty() || ++count > told) continue;
      const std::string folder = result.plan->runs[k].folder.string();
      say("driftless: {}{}{}\n", folder, folder.empty() ? "" : ": ", diagnosis);
    }
  }
  if (count > told) {
    say("driftless: and {} more runs diverged: each one's summary.json tells how\n", count - told);
  }
}

// For which combinations there was nothing to choose; false when there are none.
bool ToldExperiment::tell_untuned(const Results& results) const {
  if (!plan_.tuning) return false;
  bool any = false;
  for (const CombinationResult& result : results) {
    if (result.chosen) continue;
    any = true;
    const std::string& name = result.plan->name;
    say("driftless: {}{}every point of the [tune] grid diverged, so it is not run; give the "
        "grid lower rates\n",
        name, name.empty() ? "" : ": ");
  }
  return any;
}

void ToldExperiment::tell_table(const Results& results) const {
  fmt::print("{}", closing_table(plan_, results, output_width()));
  if (plan_.tuning) print_wrapped(tuning_note(*plan_.tuning, results));
  print_wrapped(fmt::format("final: the mean over the last fifth of the rounds{}\n",
                            meaning_of_spread(plan_.repetitions)));
  fmt::print("written to {}\n", request_.out.string());
}

int ToldExperiment::end(const Results& results, int signal) {
  progress_.finish();
  if (!runtime_.first()) return exit_done;
  tell_diagnoses(results);
  const bool untuned = signal == 0 && tell_untuned(results);
  if (told_ && request_.closing_words) tell_table(results);
  if (untuned) return exit_failed;
  const bool interrupted = any_run(results, [](const RunDigest& run) {
    return !run.outcome() || run.outcome() == Outcome::interrupted;
  });
  if (interrupted && request_.closing_words) {
    say("driftless: interrupted; what was done is written. To continue:\n  {}\n",
        resume_command(request_, runtime_.count()));
  }
  // Another rank may have had the signal.
  if (interrupted) return 128 + (signal != 0 ? signal : SIGTERM);
  const bool diverged =
      any_run(results, [](const RunDigest& run) { return run.outcome() == Outcome::diverged; });
  return diverged ? exit_failed : exit_done;
}

}  // namespace driftless
