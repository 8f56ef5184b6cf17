#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <numeric>
#include <thread>

#include "driftless/base/error.hpp"
#include "driftless/base/file.hpp"
#include "driftless/base/version.hpp"
#include "driftless/cli/commands.hpp"
#include "driftless/cli/progress.hpp"
#include "driftless/cli/run.hpp"
#include "driftless/cli/tune.hpp"
#include "driftless/report/figures.hpp"
#include "driftless/report/run_folder.hpp"
#include "driftless/report/sweep_folder.hpp"

namespace driftless {

namespace {

namespace fs = std::filesystem;

// The signal that asked the runs to stop, or 0. They finish their round and write their files; a
// second signal ends the program at once.
std::atomic<int> stop_signal{0};

void ask_to_stop(int signal) {
  stop_signal = signal;
  std::signal(signal, SIG_DFL);
}

class ProgramRecorder final : public RunFolder {
 public:
  ProgramRecorder(const fs::path& folder, const PlannedRun& run, int threads, RunFigures& figures,
                  Progress& progress)
      : RunFolder(folder, run, threads),
        rounds_(run.config.run.rounds),
        figures_(figures),
        progress_(progress) {}

  void evaluated(const Metrics& row) override {
    RunFolder::evaluated(row);
    figures_.add(row);
    progress_.evaluated(row.loss);
  }
  void round_done(Round) override { progress_.rounds_done(1); }
  bool wants_stop() override { return stop_signal != 0; }
  void ended(const RunEnd& end) override {
    RunFolder::ended(end);
    figures_.end(end.result);
    progress_.run_ended(rounds_ - end.result.last.round);
  }

 private:
  Round rounds_;
  RunFigures& figures_;
  Progress& progress_;
};

// Makes the folder, or says why it cannot be used, before anything is computed.
void prepare_folder(const RunRequest& request) {
  const fs::path& out = request.out;
  try {
    if (fs::exists(out) && !fs::is_directory(out)) {
      throw ConfigError(
          fmt::format("--out {}: is a file, not a folder; choose another", out.string()));
    }
    if (holds_run(out)) {
      if (!request.force) {
        throw ConfigError(fmt::format(
            "--out {}: already holds a run; choose another folder, or --force to replace it",
            out.string()));
      }
      remove_runs(out);
    }
    fs::create_directories(out);
  } catch (const fs::filesystem_error& error) {
    throw ConfigError(fmt::format("--out {}: the folder cannot be made: {}; choose another",
                                  out.string(), error.code().message()));
  }
  if (access(out.c_str(), W_OK) != 0) {
    throw ConfigError(
        fmt::format("--out {}: cannot be written to; choose another folder", out.string()));
  }
}

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

int exit_code_of(const std::vector<RunFigures>& figures) {
  if (stop_signal == SIGTERM) return exit_terminated;
  if (stop_signal != 0) return exit_interrupted;
  const bool diverged = std::ranges::any_of(
      figures, [](const RunFigures& run) { return run.outcome() == Outcome::diverged; });
  return diverged ? exit_failed : exit_done;
}

// A rank that is not the first: takes part, and leaves files and words to that one.
class Bystander final : public RunRecorder {
 public:
  bool wants_stop() override { return stop_signal != 0; }
  void ended(const RunEnd&) override {}
};

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

// What is wrong with the input that the work needs; empty when nothing is.
template <class Work>
std::string fault_in(const Work& work) {
  try {
    work();
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

int threads_of(const RunRequest& request, const Ranks& ranks) {
  if (request.threads > 0) return request.threads;
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return std::max(1, cores / ranks.on_this_machine());
}

}  // namespace

int run_command(const RunRequest& request, const Ranks& ranks) {
  const int threads = threads_of(request, ranks);
  std::optional<ExperimentPlan> loaded;
  std::optional<Setup> prepared;
  const std::string fault = fault_in([&] {
    loaded = load_experiment(request.config, request.overrides);
    prepared.emplace(*loaded, Share{.rank = ranks.rank(), .ranks = ranks.count()});
  });
  const bool compare = fault.empty() && ranks.count() > 1;
  ranks.agree(fault, compare ? fingerprint(*loaded, *prepared) : 0);
  // Only then: a job that does not begin leaves an earlier run as it was.
  ranks.agree(fault_in([&] {
                if (ranks.first()) prepare_folder(request);
              }),
              0);
  ExperimentPlan& plan = *loaded;
  const Setup& setup = *prepared;
  const bool told = ranks.first() && !request.quiet;
  if (ranks.first()) {
    for (const std::string& warning : setup.warnings()) {
      fmt::print(stderr, "driftless: warning: {}\n", warning);
    }
  }
  const bool sweep = ranks.first() && (plan.runs.size() > 1 || plan.tuning);
  if (sweep) write_file_atomically(request.out / "experiment.toml", read_file(request.config));

  std::signal(SIGINT, ask_to_stop);
  std::signal(SIGTERM, ask_to_stop);
  std::vector<RunFigures> figures;
  Round total_rounds = 0;
  for (const PlannedRun& run : plan.runs) {
    figures.emplace_back(run.config.run.rounds, plan.target);
    total_rounds += run.config.run.rounds;
  }
  std::size_t runs = plan.runs.size();
  if (plan.tuning) {
    runs += plan.tuning->runs.size();
    for (const PlannedRun& run : plan.tuning->runs) total_rounds += run.config.run.rounds;
  }
  Progress progress(!told, runs, total_rounds);
  const RecordRun record = [&](const PlannedRun& run,
                               RunFigures& of_run) -> std::unique_ptr<RunRecorder> {
    if (ranks.any(stop_signal != 0)) return nullptr;
    if (!ranks.first()) return std::make_unique<Bystander>();
    return std::make_unique<ProgramRecorder>(request.out / run.folder, run, threads, of_run,
                                             progress);
  };
  std::vector<TunedCombination> tuned;
  if (plan.tuning) tuned = tune(plan, setup, threads, record, ranks);
  const auto recorder_of = [&](std::size_t k) -> std::unique_ptr<RunRecorder> {
    const bool left_out =
        !tuned.empty() && !tuned[k / static_cast<std::size_t>(plan.repetitions)].chosen;
    return left_out ? nullptr : record(plan.runs[k], figures[k]);
  };
  execute_all(plan.runs, setup, threads, recorder_of, ranks);
  progress.finish();
  if (!ranks.first()) return exit_done;
  print_diagnoses(plan, figures);
  const bool untuned = stop_signal == 0 && tell_untuned(plan, tuned);
  if (sweep) write_sweep(request.out, plan, figures, request.overrides, tuned);
  if (told && request.closing_table) {
    fmt::print("{}", closing_table(plan, figures, tuned));
    if (plan.tuning) fmt::print("{}", tuning_note(plan, tuned));
    fmt::print(
        "final: the mean over the last fifth of the rounds{}\n",
        plan.repetitions > 1
            ? fmt::format(", ± the 95 % interval of the mean over {} repetitions", plan.repetitions)
            : "");
    fmt::print("written to {}\n", request.out.string());
  }
  if (stop_signal != 0) fmt::print(stderr, "driftless: interrupted; what was done is written\n");
  return untuned ? exit_failed : exit_code_of(figures);
}

void add_run_command(CLI::App& app, const Ranks& ranks, int& exit_code) {
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
  command->add_flag("--force", request->force, "replace the run that --out holds");
  command->add_flag("--quiet", request->quiet, "no progress and no closing table");
  command->callback([request, &ranks, &exit_code] {
    if (request->out.empty()) request->out = fs::path("runs") / request->config.stem();
    exit_code = run_command(*request, ranks);
  });
}

}  // namespace driftless
