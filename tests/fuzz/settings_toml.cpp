#include "driftless/record/settings_reader.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace driftless;

namespace {

std::optional<RecordedSettings> settings_in(std::string_view text) {
  static const testing::MemoryFile file;
  file.hold(text);
  SettingsReader reader;
  try {
    return reader.read(file.path());
  } catch (const DataError&) {
    return std::nullopt;
  }
}

}  // namespace

// A section within a section makes the reader parse the text as a whole, and says nothing else:
// what is read line by line must be the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = std::string(testing::text_of(data, size)) + '\n';
  if (text.find("other") != std::string::npos) return 0;
  if (settings_in(text) != settings_in(text + "[other.other]\n")) std::abort();
  return 0;
}
