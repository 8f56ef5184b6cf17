#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/graph/link_sequence.hpp"

namespace driftless {

// Which sequence of links to build. A parameter left out takes the default of the family; one that
// the family does not take is an error.
struct SequenceOptions {
  std::string family = "one_peer_exponential";
  NodeId nodes = 0;
  std::optional<int> peers = {};  // base_graph: most of a node in a round; default 1
  std::uint64_t seed = 1;         // of the random families
  bool lazy = false;              // (I + W_t) / 2 in place of W_t
};

struct SequenceFamily {
  std::string_view name;
  std::string_view description;
  // Takes resolved options; who is lazy is not its business.
  std::unique_ptr<LinkSequence> (*make)(const SequenceOptions&);
  // Fills in the defaults and throws ConfigError if a parameter is impossible.
  void (*resolve)(SequenceOptions&) = [](SequenceOptions&) {};
  std::vector<std::string_view> parameters = {};  // names of the fields of SequenceOptions it takes
  bool random = false;                            // takes `seed`
};

std::span<const SequenceFamily> sequence_families();

// The options with every default written out; throws ConfigError for what cannot be built.
SequenceOptions resolve_sequence(SequenceOptions options);

// The same for the same options on every machine.
std::unique_ptr<LinkSequence> make_sequence(const SequenceOptions& options);

}  // namespace driftless
