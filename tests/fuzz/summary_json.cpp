#include "driftless/record/recorded_run.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace driftless;

namespace {

// The folder of a run that is also that of its sweep: the summary is read as that of either.
struct Run {
  Run() {
    config.hold("[algorithm]\nkind = \"gt\"\n");
    metrics.hold("round,loss\n0,1\n");
    folder.link("config.toml", config);
    folder.link("experiment.toml", config);
    folder.link("metrics.csv", metrics);
    folder.link("summary.json", summary);
  }
  testing::MemoryFile config;
  testing::MemoryFile metrics;
  testing::MemoryFile summary;
  testing::MemoryFolder folder;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Run run;
  run.summary.hold(testing::text_of(data, size));
  return testing::accept_or_refuse([&] {
    for (const RecordedRun& read : read_runs({run.folder.path()})) {
      if (read.outcome().empty() && read.summary.is_null()) std::abort();
    }
  });
}
