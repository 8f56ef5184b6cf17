#include "driftless/network/peers/frame.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace driftless;

template <class Work>
void take_or_refuse(const Work& work) {
  try {
    work();
  } catch (const peers::Refused& refused) {
    if (*refused.what() == '\0') std::abort();
  }
}

// What is taken is said again in the same bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  take_or_refuse([&] {
    const peers::Body again = packed(peers::unpack_hello(bytes));
    if (!std::ranges::equal(again, bytes)) std::abort();
  });
  if (size < peers::head_bytes) return 0;
  take_or_refuse([&] {
    const auto head = bytes.first<peers::head_bytes>();
    if (!std::ranges::equal(packed(peers::unpack_head(head)), head)) std::abort();
  });
  for (const char c : peers::plain_words(testing::text_of(data, size))) {
    if (c < ' ' || c > '~') std::abort();
  }
  return 0;
}
