#include <fmt/format.h>

#include <csignal>

#include "driftless/base/file.hpp"
#include "driftless/base/version.hpp"
#include "driftless/cli/commands.hpp"
#include "driftless/cli/runner.hpp"
#include "driftless/cli/stop_signal.hpp"
#include "driftless/cli/tune.hpp"
#include "driftless/record/sweep_folder.hpp"

namespace driftless {

namespace {

namespace fs = std::filesystem;

// Of the runs that diverged; the first few tell the story.
void print_diagnoses(const ExperimentPlan& plan, const std::vector<RunFigures>& figures) {
  constexpr int told = 5;
  int count = 0;
  for (std::size_t k = 0; k < plan.runs.size(); ++k) {
    if (figures[k].diagnosis().empty() || ++count > told) continue;
    const std::string folder = plan.runs[k].folder.string();
    fmt::print(stderr, "driftless: {}{}{}\n", folder, folder.empty() ? "" : ": ",
               figures[k].diagnosis());
  }
  if (count > told) {
    fmt::print(stderr, "driftless: and {} more runs diverged: each one's summary.json tells how\n",
               count - told);
  }
}

// Whether a run was stopped, or did not begin.
bool interrupted(const std::vector<RunFigures>& figures) {
  return std::ranges::any_of(figures, [](const RunFigures& run) {
    return !run.outcome() || run.outcome() == Outcome::interrupted;
  });
}

int exit_code_of(const std::vector<RunFigures>& figures) {
  // Another rank may have had the signal.
  if (interrupted(figures)) return 128 + (stop_signal() != 0 ? stop_signal() : SIGTERM);
  const bool diverged = std::ranges::any_of(
      figures, [](const RunFigures& run) { return run.outcome() == Outcome::diverged; });
  return diverged ? exit_failed : exit_done;
}

// Of all that decides the bits: the version, the configs, and what is in the files they name,
// which may lie elsewhere on another machine.
std::uint64_t fingerprint(const ExperimentPlan& plan, const Setup& setup) {
  Fingerprint all;
  all.add(version());
  for (ExperimentConfig config : plan.all_configs()) {
    for (fs::path* file : {&config.problem.file, &config.problem.data, &config.problem.test_data,
                           &config.network.file}) {
      *file = file->filename();
    }
    all.add(to_toml(config));
  }
  setup.add_to(all);
  return all.value();
}

// A bar over all runs, those of the tuning too.
Progress progress_of(const ExperimentPlan& plan, bool quiet) {
  const std::vector<ExperimentConfig> configs = plan.all_configs();
  Round rounds = 0;
  for (const ExperimentConfig& config : configs) rounds += config.run.rounds;
  return Progress(quiet, configs.size(), rounds);
}

}  // namespace

int run_command(const RunRequest& request, const Runtime& ranks) {
  std::optional<ExperimentPlan> loaded;
  std::optional<Setup> prepared;
  const std::string fault = fault_in([&] {
    loaded = load_experiment(request.config, request.overrides);
    prepared.emplace(*loaded, Share{.rank = ranks.rank(), .ranks = ranks.count()});
  });
  const bool compare = fault.empty() && ranks.count() > 1;
  ranks.agree(fault, compare ? fingerprint(*loaded, *prepared) : 0);
  ExperimentPlan& plan = *loaded;
  const Setup& setup = *prepared;
  // Only then: a job that does not begin leaves an earlier run as it was.
  std::unique_ptr<Opened> lock;
  ranks.agree(fault_in([&] {
                if (ranks.first()) lock = prepare_folder(request, plan);
              }),
              0);
  const bool told = ranks.first() && !request.quiet;
  if (ranks.first()) {
    for (const std::string& warning : setup.warnings()) {
      fmt::print(stderr, "driftless: warning: {}\n", warning);
    }
  }
  Progress progress = progress_of(plan, !told);
  Runner runner(request, setup, ranks, progress);
  std::vector<FoundRun> found = runner.find(plan.tuning ? plan.tuning->runs : plan.runs);
  const bool sweep = ranks.first() && plan.is_sweep();
  if (sweep) {
    write_file_atomically(request.out / "experiment.toml", read_file(request.config));
    fs::remove(request.out / "summary.json");  // of a sweep that was interrupted
  }

  listen_for_stop_signals();
  std::vector<TunedCombination> tuned;
  std::vector<bool> left_out(plan.runs.size());
  if (plan.tuning) {
    tuned = tune(plan, std::move(found), runner, ranks);
    found = runner.find(plan.runs);
    for (std::size_t k = 0; k < plan.runs.size(); ++k) {
      left_out[k] = !tuned[k / static_cast<std::size_t>(plan.repetitions)].chosen;
    }
  }
  std::vector<RunFigures> figures;
  for (const PlannedRun& run : plan.runs) {
    figures.emplace_back(run.config.run.rounds, plan.target);
  }
  runner.execute(plan.runs, std::move(found), figures, left_out);
  progress.finish();
  if (!ranks.first()) return exit_done;
  print_diagnoses(plan, figures);
  const bool untuned = stop_signal() == 0 && tell_untuned(plan, tuned);
  if (sweep) write_sweep(request.out, plan, figures, request.overrides, tuned);
  if (told && request.closing_words) {
    fmt::print("{}", closing_table(plan, figures, tuned));
    if (plan.tuning) fmt::print("{}", tuning_note(plan, tuned));
    fmt::print(
        "final: the mean over the last fifth of the rounds{}\n",
        plan.repetitions > 1
            ? fmt::format(", ± the 95 % interval of the mean over {} repetitions", plan.repetitions)
            : "");
    fmt::print("written to {}\n", request.out.string());
  }
  if (!untuned && interrupted(figures) && request.closing_words) {
    fmt::print(stderr, "driftless: interrupted; what was done is written. To continue:\n  {}\n",
               resume_command(request, ranks.count()));
  }
  return untuned ? exit_failed : exit_code_of(figures);
}

void add_run_command(CLI::App& app, const Runtime& ranks, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "Run the experiment that a config file describes");
  auto request = std::make_shared<RunRequest>();
  command
      ->add_option("config", request->config,
                   "the config file (TOML); `driftless list` shows its keys")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--set", request->overrides, "override a key of the file: --set run.rounds=100")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--out", request->out,
                   "where the results go (default: runs/<name of the config>)")
      ->type_name("DIR");
  command
      ->add_option("--threads", request->threads,
                   "threads of each process (default: all cores, shared by the ranks of a machine)")
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
  CLI::Option* force =
      command->add_flag("--force", request->force, "replace the run that --out holds");
  command
      ->add_flag("--resume", request->resume,
                 "continue what --out holds: finished runs are left as they are, interrupted ones "
                 "go on from their newest checkpoint")
      ->excludes(force);
  command->add_flag("--quiet", request->quiet, "no progress and no closing table");
  command->callback([request, &ranks, &exit_code] {
    if (request->out.empty()) request->out = fs::path("runs") / request->config.stem();
    exit_code = run_command(*request, ranks);
  });
}

}  // namespace driftless
