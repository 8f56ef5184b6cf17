#include "driftless/graph/link_sequence.hpp"

#include <algorithm>

#include "tests/fuzz/fuzz.hpp"

using namespace driftless;

// What is read holds together: rows ascend, and every weight is there in both directions.
void use(const LinkSequence& sequence) {
  if (sequence.nodes() > 1000) return;
  WeightRows rows;
  for (Round t = 0; t < std::min<Round>(sequence.period(), 10); ++t) {
    sequence.links(t, rows);
    for (NodeId i = 0; i < rows.size(); ++i) {
      for (const NodeId j : rows.row(i).nodes) {
        if (!std::ranges::binary_search(rows.row(j).nodes, i)) std::abort();
      }
    }
  }
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const testing::MemoryFile file;
  file.hold(testing::text_of(data, size));
  testing::accept_or_refuse([&] { use(*read_link_sequence(file.path(), 10)); });
  return testing::accept_or_refuse([&] { use(*read_link_sequence(file.path())); });
}
