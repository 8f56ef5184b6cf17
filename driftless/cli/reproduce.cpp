#include <algorithm>
#include <chrono>
#include <set>

#include "driftless/base/file.hpp"
#include "driftless/base/parse_json.hpp"
#include "driftless/base/text.hpp"
#include "driftless/cli/checks.hpp"
#include "driftless/cli/run.hpp"
#include "driftless/report/page.hpp"
#include "driftless/report/report_data.hpp"
#include "driftless/reproduce/adjust_plan.hpp"
#include "driftless/reproduce/reproduction.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct ReproduceRequest {
  std::string what;
  bool quick = false;
  fs::path check;  // judge what this folder holds; empty: run
  RunRequest run;  // of each experiment, but for its config and its own folder
};

// Those that were asked for, each after those whose runs it needs.
std::vector<const Reproduction*> chosen(const std::string& what) {
  std::set<std::string_view> wanted{what};
  for (const Reproduction& each : reproductions())
    if (each.name == what) wanted.insert(each.needs.begin(), each.needs.end());
  std::vector<const Reproduction*> found;
  for (const Reproduction& each : reproductions())
    if (what == "all" || wanted.contains(each.name)) found.push_back(&each);
  return found;
}

// The paper draws D-SGD blue, K-GT red, and Periodical GT orange and with full gradients green.
Pairs paper_colours(const Comparison& comparison) {
  Pairs colours{{"d-sgd", "#1f77b4"},
                {"k-gt", "#d62728"},
                {"periodical-gt", "#ff7f0e"},
                {"periodical-gt-full", "#2ca02c"}};
  const std::size_t method = comparison.key_index("algorithm.kind");
  std::erase_if(colours, [&](const auto& colour) {
    return std::ranges::none_of(comparison.groups, [&](const RunGroup& group) {
      return group.values[method] == colour.first;
    });
  });
  return colours;
}

// The page of an experiment, which shows first what the paper's figure shows.
void write_report(const Reproduction& of, const ReproducedExperiment& experiment,
                  const fs::path& folder) {
  const std::vector<RecordedRun> runs = read_runs({folder});
  const Comparison comparison = compare(runs);
  const FigureChoice choice = checked({.metric = std::string(experiment.metric),
                                       .against = std::string(of.figure.against),
                                       .panels = std::string(of.figure.panels),
                                       .only = of.figure.only,
                                       .colours = paper_colours(comparison)},
                                      comparison);
  write_file_atomically(folder / "report.html", report_page(report_data(runs, comparison, choice)));
}

// Runs and judges, one reproduction after the other.
class Reproducing {
 public:
  Reproducing(const ReproduceRequest& request, const Runtime& runtime)
      : request_(request), runtime_(runtime), out_(request.run.out) {}

  // A run that diverged is part of the answer; only an interruption ends it all.
  int run() {
    const std::vector<const Reproduction*> all = chosen(request_.what);
    for (const Reproduction* each : all) {
      const Clock::time_point begin = Clock::now();
      if (!request_.run.quiet) say("{}: {}\n", each->name, each->title);
      fs::create_directories(out_ / each->name);
      for (const ReproducedExperiment& experiment : experiments_of(*each, request_.quick))
        if (const int code = run_experiment(*each, experiment)) return code;
      if (const int code = decide(*each)) return code;
      seconds_[each] = std::chrono::duration<double>(Clock::now() - begin).count();
      write_claims(*each);
      print_wrapped(fmt::format("{}\n", claims_text(*each, claims_[each])), claims_indent);
    }
    return finish(all);
  }

 private:
  // A reproduction that shares the runs of others may have given them more seeds.
  int finish(const std::vector<const Reproduction*>& all) {
    std::string page;
    for (const Reproduction* each : all) {
      write_claims(*each);
      for (const ReproducedExperiment& experiment : experiments_of(*each, request_.quick))
        write_report(*each, experiment, out_ / experiment.name);
      page += fmt::format("{}\n", claims_markdown(*each, claims_[each]));
    }
    write_file_atomically(out_ / "claims.md", page);
    fmt::print("written to {}\n", out_.string());
    return exit_done;
  }

  void write_claims(const Reproduction& of) {
    Evidence evidence(out_);
    claims_[&of] = of.claims(evidence);
    const fs::path folder = out_ / of.name;
    write_file_atomically(folder / "claims.json",
                          claims_json(of, claims_[&of], request_.quick, seconds_[&of]));
    write_file_atomically(folder / "claims.md", claims_markdown(of, claims_[&of]));
  }

  RunRequest request_of(const Reproduction& of, const ReproducedExperiment& experiment) const {
    RunRequest run = request_.run;
    run.config = out_ / fmt::format("{}.toml", of.name);
    run.overrides = experiment.overrides;
    run.out = out_ / experiment.name;
    run.closing_words = false;
    run.warnings = false;  // the paper tunes by the test data
    run.reuse = done_;     // measures and figures share runs
    return run;
  }

  int done(const RunRequest& run) const {
    const int code = run_command(run, runtime_);
    if (code <= 128) return exit_done;
    say("driftless: interrupted; the same command with --resume continues\n");
    return code;
  }

  // Leaves the config beside the folder of its runs, for whoever wants to change it.
  int run_experiment(const Reproduction& of, const ReproducedExperiment& experiment) {
    RunRequest run = request_of(of, experiment);
    if (request_.quick && !of.quick_without.empty())
      run.adjust = [&](ExperimentPlan& plan) { leave_out(plan, of.quick_without); };
    write_file_atomically(run.config, paper_config(of.name));
    if (const int code = done(run)) return code;
    done_.push_back(run.out);
    return exit_done;
  }

  // More seeds for the claims that these would decide. As many as were asked for at first count
  // first, also where an earlier program had begun with more: so the seeds of a figure depend on
  // nothing but what came of them.
  int decide(const Reproduction& of) {
    if (request_.quick) return exit_done;
    std::size_t seeds = fewest_seeds(of);
    for (const std::size_t more : more_seeds) {
      Evidence evidence(out_, static_cast<std::int64_t>(seeds));
      const auto wanted = to_decide_with(more, of.claims(evidence));
      for (const auto& [experiment, settings] : wanted)
        if (const int code = add_seeds(experiment, settings, more)) return code;
      seeds = std::max(seeds, more);
    }
    return exit_done;
  }

  // Those whose experiments the claims of a reproduction are about.
  std::vector<const Reproduction*> sources_of(const Reproduction& of) const {
    std::vector<const Reproduction*> sources;
    for (const Reproduction* each : chosen(std::string(of.name)))
      if (each->has_runs) sources.push_back(each);
    return sources;
  }

  std::size_t fewest_seeds(const Reproduction& of) const {
    std::size_t seeds = 0;
    for (const Reproduction* source : sources_of(of)) {
      const RunRequest run = request_of(*source, experiments_of(*source, false).front());
      const int repetitions = load_experiment(run.config, run.overrides).repetitions;
      seeds = std::max(seeds, static_cast<std::size_t>(repetitions));
    }
    return seeds;
  }

  int add_seeds(const std::string& name, const std::vector<Where>& settings, std::size_t seeds) {
    for (const Reproduction& of : reproductions()) {
      for (const ReproducedExperiment& experiment : experiments_of(of, false)) {
        if (experiment.name != name) continue;
        if (!request_.run.quiet) say("{}: {} seeds where they decide\n", name, seeds);
        const std::size_t others = fewest_seeds(of);
        RunRequest run = request_of(of, experiment);
        run.overrides.push_back(fmt::format("run.repetitions={}", seeds));
        run.force = false;
        run.resume = true;
        run.adjust = [&](ExperimentPlan& plan) { limit_others(plan, settings, others); };
        if (const int code = done(run)) return code;
      }
    }
    return exit_done;
  }

  const ReproduceRequest& request_;
  const Runtime& runtime_;
  const fs::path out_;
  std::vector<fs::path> done_;  // the experiments whose runs others may take over
  std::map<const Reproduction*, std::vector<Claim>> claims_;
  std::map<const Reproduction*, double> seconds_;
};

// Judges again what the files of a folder tell, and compares it with what was written there.
int check(const fs::path& folder) {
  bool same = true;
  int found = 0;
  for (const Reproduction& each : reproductions()) {
    const fs::path file = folder / each.name / "claims.json";
    if (!fs::exists(file)) continue;
    ++found;
    const nlohmann::json written = parse_json(read_file(file), file.string());
    Evidence evidence(folder);
    const std::vector<Claim> claims = each.claims(evidence);
    const nlohmann::json now = nlohmann::json::parse(claims_json(each, claims, false, 0));
    const bool agrees = written.value("claims", nlohmann::json()) == now["claims"];
    fmt::print("{}: {} claims, {}\n", each.name, claims.size(),
               agrees ? "as written" : "NOT as written in claims.json");
    if (!agrees) print_wrapped(claims_text(each, claims), claims_indent);
    same = same && agrees;
  }
  if (found == 0) {
    throw DataError("--check {}: holds no claims.json of `driftless reproduce`; name its --out",
                    folder.string());
  }
  return same ? exit_done : exit_failed;
}

int reproduce(const ReproduceRequest& request, const Runtime& runtime) {
  if (!request.check.empty()) return check(request.check);
  if (request.what.empty()) {
    throw ConfigError("reproduce: name what to reproduce, `all` for instance, or --check DIR");
  }
  return Reproducing(request, runtime).run();
}

}  // namespace

void add_reproduce_command(CLI::App& app, const Runtime& runtime, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "reproduce", "Run the K-GT paper's figures and tables, and judge its claims by them");
  auto request = std::make_shared<ReproduceRequest>();
  request->run.out = "runs/reproduce";
  std::vector<std::string> names = names_of<std::string>(reproductions());
  names.emplace_back("all");
  CLI::Option* what = add_option(command, "what", request->what, either_of(views_of(names)), "NAME")
                          ->check(takes_one_of(names));
  command->add_flag("--quick", request->quick,
                    "fewer rounds and repetitions, no tuning on MNIST: minutes, and less decided");
  add_option(command, "--check", request->check,
             "judge again from the files that an earlier reproduction left in this folder, and "
             "compare with its claims.json",
             "DIR")
      ->excludes(what);
  add_run_options(command, request->run, "runs/reproduce");
  command->add_flag("--quiet", request->run.quiet, "no progress");
  command->footer(
      "MNIST is needed for fig2a, fig2b, fig2, fig3 and fig4: `driftless data fetch mnist`.");
  command->callback([request, &runtime, &exit_code] { exit_code = reproduce(*request, runtime); });
}

}  // namespace driftless
