#include <fmt/format.h>

#include <csignal>
#include <fstream>
#include <numeric>
#include <sstream>
#include <thread>

#include "driftless/base/error.hpp"
#include "driftless/base/file.hpp"
#include "driftless/base/version.hpp"
#include "driftless/cli/commands.hpp"
#include "driftless/cli/progress.hpp"
#include "driftless/cli/run_request.hpp"
#include "driftless/cli/stop_signal.hpp"
#include "driftless/report/figures.hpp"
#include "driftless/report/run_folder.hpp"
#include "driftless/report/sweep_folder.hpp"

namespace driftless {

namespace {

namespace fs = std::filesystem;

class ProgramRecorder final : public RunFolder {
 public:
  ProgramRecorder(const fs::path& folder, const PlannedRun& run, int threads, FoundRun found,
                  RunFigures& figures, Progress& progress)
      : RunFolder(folder, run, threads, std::move(found)),
        rounds_(run.config.run.rounds),
        figures_(figures),
        progress_(progress) {}

  void evaluated(const Metrics& row) override {
    RunFolder::evaluated(row);
    figures_.add(row);
    progress_.evaluated(row.loss);
  }
  void round_done(Round) override { progress_.rounds_done(1); }
  bool wants_stop() override { return stop_signal() != 0; }
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

std::string contents_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
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

// A rank that is not the first: takes part, and leaves files and words to that one.
class Bystander final : public RunRecorder {
 public:
  bool wants_stop() override { return stop_signal() != 0; }
  void save(const RunState& state) override { write_checkpoint("", "", state); }
  void ended(const RunEnd&) override {}
};

// Of all that decides the bits: the version, the configs, and what is in the files they name,
// which may lie elsewhere on another machine.
std::uint64_t fingerprint(const ExperimentPlan& plan, const Setup& setup) {
  Fingerprint all;
  all.add(version());
  for (const PlannedRun& run : plan.runs) {
    ExperimentConfig config = run.config;
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

// Of what was done before; the runs add to them.
std::vector<RunFigures> figures_of(const ExperimentPlan& plan, const std::vector<FoundRun>& found) {
  std::vector<RunFigures> figures;
  for (std::size_t k = 0; k < plan.runs.size(); ++k) {
    figures.emplace_back(plan.runs[k].config.run.rounds, plan.target);
    for (const Metrics& row : found[k].rows) figures[k].add(row);
    if (found[k].ended) figures[k].end(*found[k].ended);
  }
  return figures;
}

Round rounds_left(const ExperimentPlan& plan, const std::vector<FoundRun>& found) {
  Round rounds = 0;
  for (std::size_t k = 0; k < plan.runs.size(); ++k) {
    if (found[k].ended) continue;
    rounds += plan.runs[k].config.run.rounds;
    if (found[k].checkpoint) rounds -= found[k].checkpoint->position.round;
  }
  return rounds;
}

// "1" for every run that has ended, as a text to be told to other ranks.
std::string ended_runs(const std::vector<FoundRun>& found) {
  std::string ended;
  for (const FoundRun& run : found) ended += run.ended ? '1' : '0';
  return ended;
}

int threads_of(const RunRequest& request, const Ranks& ranks) {
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return request.threads.value_or(std::max(1, cores / ranks.on_this_machine()));
}

int run_command(const RunRequest& request, const Ranks& ranks) {
  std::optional<ExperimentPlan> loaded;
  std::optional<Setup> prepared;
  const std::string fault = fault_in([&] {
    loaded = load_experiment(request.config, request.overrides);
    prepared.emplace(*loaded, Share{.rank = ranks.rank(), .ranks = ranks.count()});
  });
  const bool compare = fault.empty() && ranks.count() > 1;
  ranks.agree(fault, compare ? fingerprint(*loaded, *prepared) : 0);
  const ExperimentPlan& plan = *loaded;
  OutFolder out{.lock = nullptr, .found = std::vector<FoundRun>(plan.runs.size())};
  // Only then: a job that does not begin leaves an earlier run as it was.
  ranks.agree(fault_in([&] {
                if (ranks.first()) out = prepare_folder(request, plan);
              }),
              0);
  std::vector<FoundRun>& found = out.found;
  const Setup& setup = *prepared;
  const bool told = ranks.first() && !request.quiet;
  if (ranks.first()) {
    for (const std::string& warning : setup.warnings()) {
      fmt::print(stderr, "driftless: warning: {}\n", warning);
    }
  }
  for (const FoundRun& run : found) {
    for (const std::string& warning : run.warnings) {
      fmt::print(stderr, "driftless: warning: {}; it is not used\n", warning);
    }
  }
  if (request.resume && told) fmt::print(stderr, "driftless: {}\n", told_of(found, plan));
  const bool sweep = ranks.first() && plan.runs.size() > 1;
  if (sweep) {
    write_file_atomically(request.out / "experiment.toml", contents_of(request.config));
    fs::remove(request.out / "summary.json");  // of a sweep that was interrupted
  }

  listen_for_stop_signals();
  std::vector<RunFigures> figures = figures_of(plan, found);
  const std::string ended = ranks.broadcast(ended_runs(found));
  Progress progress(!told, static_cast<std::size_t>(std::ranges::count(ended, '0')),
                    rounds_left(plan, found));
  const int threads = threads_of(request, ranks);
  const auto recorder_of = [&](std::size_t k) -> std::unique_ptr<RunRecorder> {
    if (ended[k] == '1' || ranks.any(stop_signal() != 0)) return nullptr;
    if (!ranks.first()) return std::make_unique<Bystander>();
    return std::make_unique<ProgramRecorder>(request.out / plan.runs[k].folder, plan.runs[k],
                                             threads, std::move(found[k]), figures[k], progress);
  };
  execute_all(plan, setup, threads, recorder_of, ranks);
  progress.finish();
  if (!ranks.first()) return exit_done;
  print_diagnoses(plan, figures);
  if (sweep) write_sweep(request.out, plan, figures, request.overrides);
  if (told) {
    fmt::print("{}", closing_table(plan, figures));
    fmt::print("final: the mean over the last fifth of the rounds{}\n",
               plan.repetitions > 1
                   ? fmt::format(", ± the standard deviation over {} repetitions", plan.repetitions)
                   : "");
    fmt::print("written to {}\n", request.out.string());
  }
  if (interrupted(figures)) {
    fmt::print(stderr, "driftless: interrupted; what was done is written. To continue:\n  {}\n",
               resume_command(request, ranks.count()));
  }
  return exit_code_of(figures);
}

}  // namespace

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
