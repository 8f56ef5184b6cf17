#include <chrono>

#include "driftless/base/file.hpp"
#include "driftless/base/text.hpp"
#include "driftless/cli/checks.hpp"
#include "driftless/cli/run.hpp"
#include "driftless/report/page.hpp"
#include "driftless/report/report_data.hpp"
#include "driftless/reproduce/reproduction.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

struct ReproduceRequest {
  std::string what;
  bool quick = false;
  RunRequest run;  // of each reproduction, but for its config and its own folder
};

std::vector<const Reproduction*> chosen(const std::string& what) {
  std::vector<const Reproduction*> found;
  for (const Reproduction& each : reproductions()) {
    if (what == "all" || what == each.name) found.push_back(&each);
  }
  return found;
}

// The page of the runs, which shows first what the paper's figure shows.
void write_report(const Reproduction& each, const fs::path& folder) {
  const std::vector<RecordedRun> runs = read_runs({folder});
  const Comparison comparison = compare(runs);
  const FigureChoice choice = checked(
      {.metric = std::string(each.metric), .against = std::string(each.against)}, comparison);
  write_file_atomically(folder / "report.html", report_page(report_data(runs, comparison, choice)));
}

// Leaves the config beside the folder of its runs, for whoever wants to change it.
int run_experiment(const Reproduction& each, const ReproduceRequest& request,
                   const Runtime& runtime) {
  RunRequest run = request.run;
  run.config = request.run.out / fmt::format("{}.toml", each.name);
  run.overrides = request.quick ? each.quick_overrides : each.full_overrides;
  run.out = request.run.out / each.name;
  run.closing_words = false;
  fs::create_directories(request.run.out);
  write_file_atomically(run.config, paper_config(each.name));
  return run_command(run, runtime);
}

// A run that diverged is part of the answer; only an interruption ends it all.
int reproduce(const ReproduceRequest& request, const Runtime& runtime) {
  std::string page;
  for (const Reproduction* each : chosen(request.what)) {
    const auto begin = std::chrono::steady_clock::now();
    const fs::path folder = request.run.out / each->name;
    if (!request.run.quiet) say("{}: {}\n", each->name, each->title);
    if (each->has_runs) {
      const int exit_code = run_experiment(*each, request, runtime);
      if (exit_code > 128) {
        say("driftless: interrupted; the same command with --resume continues\n");
        return exit_code;
      }
    } else {
      fs::create_directories(folder);
    }
    const std::vector<Claim> claims = each->claims(folder);
    if (each->has_runs) write_report(*each, folder);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    write_file_atomically(folder / "claims.json",
                          claims_json(*each, claims, request.quick, took.count()));
    const std::string markdown = claims_markdown(*each, claims);
    write_file_atomically(folder / "claims.md", markdown);
    page += fmt::format("{}\n", markdown);
    print_wrapped(fmt::format("{}\n", claims_text(*each, claims)), claims_indent);
  }
  write_file_atomically(request.run.out / "claims.md", page);
  fmt::print("written to {}\n", request.run.out.string());
  return exit_done;
}

}  // namespace

void add_reproduce_command(CLI::App& app, const Runtime& runtime, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "reproduce", "Run the K-GT paper's figures and tables, and judge its claims by them");
  auto request = std::make_shared<ReproduceRequest>();
  request->run.out = "runs/reproduce";
  std::vector<std::string> names = names_of<std::string>(reproductions());
  names.emplace_back("all");
  add_option(command, "what", request->what, either_of(views_of(names)), "NAME")
      ->required()
      ->check(takes_one_of(names));
  command->add_flag("--quick", request->quick,
                    "fewer rounds and repetitions, no tuning on MNIST: minutes, and less decided");
  add_run_options(command, request->run, "runs/reproduce");
  command->add_flag("--quiet", request->run.quiet, "no progress");
  command->footer("MNIST is needed for fig2a, fig2b, fig3 and fig4: `driftless data fetch mnist`.");
  command->callback([request, &runtime, &exit_code] { exit_code = reproduce(*request, runtime); });
}

}  // namespace driftless
