#include "driftless/data/csv.hpp"

#include "tests/fuzz/fuzz.hpp"

using namespace driftless;

// The seeds name the column to learn `y`. Where a table can be read, it can be a test set too.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const testing::MemoryFile file;
  file.hold(testing::text_of(data, size));
  return testing::accept_or_refuse([&] {
    for (const LabelType type : {LabelType::numbers, LabelType::classes}) {
      const ReadOptions options{.label_type = type, .label = "y"};
      const Dataset train = read_csv(file.path(), options);
      read_csv(file.path(), options, &train);
    }
  });
}
