#include "driftless/network/faults.hpp"
#include "driftless/network/weather.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace driftless;

// The weather bears every trace that is taken.
void use(const Trace& trace) {
  static const std::shared_ptr<const LinkSequence> links = make_one_peer_exponential(8);
  Weather weather(links, {.crash = 0.1, .join_after = 2}, trace);
  for (Round t = 0; t < 10; ++t) {
    weather.begin(t);
    weather.count_late_letters();
    if (weather.members() < 1) std::abort();
  }
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const testing::MemoryFile file;
  file.hold(testing::text_of(data, size));
  return testing::accept_or_refuse([&] { use(read_trace(file.path(), 8)); });
}
