#include <cstdio>
#include <thread>

#include "driftless/base/text.hpp"
#include "driftless/cli/checks.hpp"
#include "driftless/cli/choice_options.hpp"
#include "driftless/cli/page_server.hpp"
#include "driftless/cli/standard_streams.hpp"
#include "driftless/cli/stop_signal.hpp"
#include "driftless/experiment/metrics.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

struct WatchRequest : ChoiceRequest {
  std::vector<fs::path> folders;
  std::optional<int> port;
};

// A folder that a run is about to make is waited for. Where even the folder above is missing, the
// name is more likely wrong.
void check_folder(const fs::path& folder) {
  if (fs::is_directory(folder)) return;
  if (fs::exists(folder)) {
    throw DataError(
        "{}: is not a folder; expected that of a run or a sweep, as `driftless run` "
        "leaves it",
        folder.string());
  }
  const fs::path named = folder.has_filename() ? folder : folder.parent_path();
  if (fs::is_directory(fs::absolute(named).parent_path())) return;
  throw DataError("{}: there is no such folder, and none above it in which a run could make it",
                  folder.string());
}

// Runs that have not begun cannot tell which columns they will have, but no run has an unknown one.
void check_metric(const std::string& name) {
  const auto names = names_of(metric_columns());
  if (name.empty() || find_metric(name) != nullptr) return;
  throw ConfigError("--metric {}: there are {}{}", name, either_of(names), suggestion(name, names));
}

void watch_command(const WatchRequest& request) {
  for (const fs::path& folder : request.folders) check_folder(folder);
  check_metric(request.choice.metric);
  const auto tell = [](const std::string& fault) { say("driftless: {}\n", fault); };
  LiveReport report(request.folders, choice_of(request), tell);
  listen_for_stop_signals();
  const PageServer server(report, request.port);
  fmt::print("watching at http://127.0.0.1:{}/ until Ctrl-C\n", server.port());
  for (const auto& folder : report.newest()->data["live"]["awaited"])
    fmt::print("{}: holds no run yet; waiting for one\n", folder.get<std::string>());
  flush_standard_output();
  while (stop_signal() == 0 && server.is_serving())
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  if (stop_signal() == 0) throw std::runtime_error("the page can no longer be served");
}

}  // namespace

void add_watch_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "watch", "Serve the page of runs that go on, and draw it anew as their rows arrive");
  auto request = std::make_shared<WatchRequest>();
  add_option(command, "folders", request->folders,
             "the folders of runs or sweeps; those that are not there yet are waited for", "DIR")
      ->required();
  add_option(
      command, "--port", request->port,
      "the port on this machine, up to 65535 (default: 8765, or the next that is free; 0: any)",
      "N")
      ->check(takes_integer(0, 65535));
  add_choice_options(command, *request);
  command->footer(
      "The page is served to this machine alone, at 127.0.0.1. From another one: `ssh -L "
      "8765:localhost:8765 MACHINE`, then http://localhost:8765/ there.");
  command->callback([request] { watch_command(*request); });
}

}  // namespace driftless
