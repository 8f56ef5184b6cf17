#include "driftless/record/model_file.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace driftless;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const testing::MemoryFile file;
  file.hold(testing::text_of(data, size));
  return testing::accept_or_refuse([&] { read_model_card(file.path()); });
}
