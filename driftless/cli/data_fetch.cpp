#include "driftless/cli/data_fetch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "driftless/base/error.hpp"
#include "driftless/cli/commands.hpp"
#include "driftless/cli/mnist.hpp"
#include "driftless/cli/stop_signal.hpp"
#include "driftless/data/load.hpp"

namespace driftless {

namespace {

struct FetchRequest {
  std::string name;
  bool quiet = false;
};

// A turning mark with the bytes so far on a terminal, one line elsewhere, nothing when quiet.
class FetchReport {
 public:
  FetchReport(const FetchRequest& request, std::string folder)
      : request_(request), terminal_(isatty(STDERR_FILENO) == 1), folder_(std::move(folder)) {}
  ~FetchReport() {
    if (terminal_ && calls_ > 0) std::fputs("\r\x1b[K", stderr);
  }
  FetchReport(const FetchReport&) = delete;
  FetchReport& operator=(const FetchReport&) = delete;

  void show(std::uintmax_t bytes) {
    if (request_.quiet) return;
    if (!terminal_ && calls_++ == 0) {
      fmt::print(stderr, "fetching {} into {}\n", request_.name, folder_);
    } else if (terminal_) {
      fmt::print(stderr, "\r{} fetching {}  {:.1f} MB\x1b[K", "|/-\\"[calls_++ % 4], request_.name,
                 static_cast<double>(bytes) / 1e6);
    }
    std::fflush(stderr);
  }

 private:
  const FetchRequest& request_;
  bool terminal_;
  std::string folder_;
  unsigned calls_ = 0;
};

int fetch(const FetchRequest& request) {
  if (request.name != "mnist") {
    throw ConfigError(
        fmt::format("data fetch: unknown data \"{}\"; there is mnist. Other data need no fetching: "
                    "give the folder or file itself",
                    request.name));
  }
  const std::string folder = mnist_folder().string();
  listen_for_stop_signals();
  Fetched fetched{};
  {
    FetchReport report(request, folder);
    fetched = fetch_mnist([&](std::uintmax_t bytes) {
      report.show(bytes);
      return stop_signal() == 0;
    });
  }
  if (fetched == Fetched::stopped) {
    fmt::print(stderr, "driftless: interrupted; nothing was kept\n");
    return 128 + stop_signal();
  }
  if (!request.quiet) {
    fmt::print("{} is {}in {}\n", request.name, fetched == Fetched::before ? "already " : "",
               folder);
  }
  return exit_done;
}

}  // namespace

void add_data_fetch_command(CLI::App& data, int& exit_code) {
  CLI::App* command = data.add_subcommand(
      "fetch", "Bring a data set into the cache: $DRIFTLESS_DATA, or else ~/.cache/driftless");
  const auto request = std::make_shared<FetchRequest>();
  command->add_option("name", request->name, "mnist")->required();
  command->add_flag("--quiet", request->quiet, "no progress and no closing line");
  command->footer("Example: driftless data fetch mnist");
  command->callback([request, &exit_code] { exit_code = fetch(*request); });
}

}  // namespace driftless
