#include "driftless/config/plan.hpp"

#include "tests/fuzz/fuzz.hpp"

using namespace driftless;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = testing::text_of(data, size);
  return testing::accept_or_refuse([&] { plan_experiment(text, "fuzz.toml", "/"); });
}
