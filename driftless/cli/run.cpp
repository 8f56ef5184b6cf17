#include "driftless/cli/run.hpp"

#include <thread>

#include "driftless/base/file.hpp"
#include "driftless/cli/checks.hpp"
#include "driftless/cli/dry_run.hpp"
#include "driftless/cli/stop_signal.hpp"
#include "driftless/cli/told_experiment.hpp"
#include "driftless/cli/work_notice.hpp"
#include "driftless/config/key.hpp"
#include "driftless/record/output_folder.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

// Of the configs, but not where the files lie that they name: that may differ from
// machine to machine.
std::uint64_t fingerprint(const ExperimentPlan& plan) {
  Fingerprint all;
  for (const PlannedRun* run : plan.all_runs()) {
    ExperimentConfig config = run->config;
    for (const Key& key : config_keys()) {
      const std::optional<Value> value = key.value_in(config);
      if (!key.names_files() || !value) continue;
      key.assign(config, with_each_text(*value, [](const std::string& path) {
                   return fs::path(path).filename().string();
                 }));
    }
    all.add(to_toml(config));
  }
  return all.value();
}

// Of what is in the files.
std::uint64_t fingerprint(const Setup& setup) {
  Fingerprint all;
  setup.add_to(all);
  return all.value();
}

int threads_of(const RunRequest& request, const Runtime& runtime) {
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return request.threads.value_or(std::max(1, cores / runtime.on_this_machine()));
}

}  // namespace

int run_command(const RunRequest& request, const Runtime& runtime) {
  const bool compare = runtime.count() > 1;
  if (request.dry_run && compare) throw ConfigError("run --dry-run: start it without mpirun");
  std::optional<ExperimentPlan> plan;
  std::optional<Setup> setup;
  std::string source;
  std::string fault = fault_in([&] {
    plan = load_experiment(request.config, request.overrides);
    if (request.adjust) request.adjust(*plan);
    source = read_file(request.config);
  });
  runtime.agree(fault, compare && plan ? fingerprint(*plan) : 0);
  {
    WorkNotice waiting;
    const auto notice = [&](std::string_view work) { waiting.at(work); };
    const bool tells = runtime.first() && !request.quiet;
    fault = fault_in([&] { setup.emplace(*plan, runtime, tells ? Notice(notice) : Notice()); });
  }
  runtime.agree(fault, compare && setup ? fingerprint(*setup) : 0);
  if (request.dry_run) {
    tell_dry_run(*plan, *setup, request.out, threads_of(request, runtime));
    return exit_done;
  }
  // Only then: a job that does not begin leaves an earlier run as it was.
  const Output output{.folder = request.out, .force = request.force, .resume = request.resume};
  std::optional<OutputFolder> prepared;
  runtime.agree(fault_in([&] {
                  if (runtime.first()) prepared.emplace(prepare_folder(output, *plan));
                }),
                0);
  const fs::path begun_in = prepared ? prepared->folder.where() : fs::path();
  const ExperimentRunOptions options{.folder = prepared ? &prepared->folder : nullptr,
                                     .resume = request.resume,
                                     .reuse = request.reuse,
                                     .source = std::move(source),
                                     .overrides = request.overrides,
                                     .threads = threads_of(request, runtime),
                                     .wants_stop = [] { return stop_signal() != 0; }};
  if (runtime.first() && request.warnings) {
    for (const std::string& warning : setup->warnings()) {
      say("driftless: warning: {}\n", warning);
    }
  }
  ToldExperiment told(*plan, request, runtime);
  listen_for_stop_signals();
  Results results;
  try {
    results = ExperimentRun(*plan, *setup, runtime, options, told).run();
  } catch (const InputError& error) {
    // What one process finds in its rows, the others do not know of: they wait for it.
    if (runtime.count() == 1) throw;
    say("driftless: rank {}: {}\n", runtime.rank(), error.what());
    runtime.abort(exit_wrong);
  }
  const int exit_code = told.end(results, stop_signal());
  if (prepared && prepared->folder.where() != begun_in) {
    say("driftless: {} was moved meanwhile; the results are in {}\n", request.out.string(),
        prepared->folder.where().string());
  }
  return exit_code;
}

void add_run_options(CLI::App* command, RunRequest& request, const std::string& default_out) {
  add_option(command, "--out", request.out,
             fmt::format("where the results go (default: {})", default_out), "DIR");
  add_option(command, "--threads", request.threads,
             "threads of each process, 1 to 4096 (default: all cores, shared by the ranks of a "
             "machine)",
             "N")
      ->check(takes_integer(1, 4096));
  CLI::Option* force =
      command->add_flag("--force", request.force, "replace the run that --out holds");
  command
      ->add_flag("--resume", request.resume,
                 "continue what --out holds: finished runs are left as they are, interrupted ones "
                 "go on from their newest checkpoint")
      ->excludes(force);
}

CLI::App* add_run_command(CLI::App& app, Runtime& runtime, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "Run the experiment that a config file describes");
  auto request = std::make_shared<RunRequest>();
  add_option(command, "config", request->config,
             "the config file (TOML); `driftless list` shows its keys", "FILE")
      ->required();
  add_option(command, "--set", request->overrides,
             "override a key of the file: --set run.rounds=100", "KEY=VALUE")
      ->allow_extra_args(false);
  add_run_options(command, *request, "runs/<name of the config>");
  add_option(
      command, "--reuse", request->reuse,
      "take over runs that were done in this folder or below, where config and files are the "
      "same, instead of doing them again",
      "DIR")
      ->allow_extra_args(false)
      ->check(CLI::ExistingDirectory);
  const auto set_timeout = [request, &runtime](double minutes) {
    request->timeout = minutes;
    runtime.set_timeout(minutes);  // at once: the ranks are about to wait for each other
  };
  command
      ->add_option_function<double>(
          "--timeout", set_timeout,
          "over MPI, how long a rank may keep the others waiting before the job ends (default: 30; "
          "0: for ever)")
      ->type_name("MINUTES")
      ->check(takes_number_from(0));
  command->add_flag("--quiet", request->quiet, "no progress and no closing table");
  command->add_flag(
      "--dry-run", request->dry_run,
      "check the config and all files, tell the runs, their folders, the memory and a "
      "guess of the time, and write nothing");
  command->callback([request, &runtime, &exit_code] {
    if (request->out.empty()) request->out = fs::path("runs") / request->config.stem();
    exit_code = run_command(*request, runtime);
  });
  return command;
}

}  // namespace driftless
