#include "driftless/experiment/checkpoint.hpp"

#include <zlib.h>

#include "tests/fuzz/fuzz.hpp"

using namespace driftless;

// The bytes as they are, and with the sum that they should have: no fuzzer guesses it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const testing::MemoryFile file;
  std::string bytes(testing::text_of(data, size));
  file.hold(bytes);
  testing::accept_or_refuse([&] { read_checkpoint(file.path()); });
  const auto sum = static_cast<std::uint32_t>(crc32_z(0, data, size));
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof(sum));
  file.hold(bytes);
  return testing::accept_or_refuse([&] { read_checkpoint(file.path()); });
}
