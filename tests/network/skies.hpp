#pragma once

#include <string>
#include <vector>

#include "driftless/graph/sequence_families.hpp"
#include "driftless/network/conditions.hpp"

namespace driftless::testing {

// All that may befall letters, one after the other and together.
struct Sky {
  std::string name;
  FaultOptions faults = {};
  std::string sequence = {};  // of links, in place of a graph
  CompressionOptions compression = {};

  Conditions over(MixingMatrix mixing) const {
    const NodeId nodes = mixing.nodes();
    return {.links = sequence.empty() ? make_fixed(std::move(mixing))
                                      : make_sequence({.family = sequence, .nodes = nodes}),
            .faults = faults,
            .codecs = {make_codec<float>(compression), make_codec<double>(compression)},
            .codec_rate = 0.7,
            .seed = 5};
  }
};

inline const std::vector<Sky>& skies_of_prompt_letters() {
  static const std::vector<Sky> all{
      {.name = "drops", .faults = {.drop = 0.3, .burst = 2}},
      {.name = "pauses", .faults = {.pause = 0.2, .pause_rounds = 2}},
      {.name = "slow nodes", .faults = {.slow = 0.5}},
      {.name = "one peer", .sequence = "one_peer_exponential"},
      {.name = "base graph", .faults = {.drop = 0.1}, .sequence = "base_graph"},
      {.name = "matchings", .faults = {.pause = 0.1}, .sequence = "random_matching"},
  };
  return all;
}

inline const std::vector<Sky>& skies_of_late_letters() {
  static const std::vector<Sky> all{
      {.name = "late letters", .faults = {.late = 0.4, .late_rounds = 3}},
      {.name = "crashes", .faults = {.crash = 0.1}},
      {.name = "crashes and returns", .faults = {.crash = 0.2, .join_after = 2}},
      {.name = "all faults",
       .faults = {.drop = 0.2,
                  .pause = 0.1,
                  .crash = 0.1,
                  .join_after = 1,
                  .late = 0.3,
                  .late_rounds = 2}},
      {.name = "late matchings",
       .faults = {.crash = 0.1, .join_after = 1, .late = 0.3},
       .sequence = "random_matching"},
  };
  return all;
}

inline const std::vector<Sky>& skies_of_packed_letters() {
  static const std::vector<Sky> all{
      {.name = "int4", .compression = {.codec = "int4", .block = 3}},
      {.name = "bf16", .compression = {.codec = "bf16"}},
      {.name = "qsgd", .faults = {.slow = 0.5}, .compression = {.codec = "qsgd"}},
      {.name = "sign", .compression = {.codec = "sign"}},
      {.name = "top_k", .compression = {.codec = "top_k", .keep = 0.3}},
      {.name = "rand_k", .compression = {.codec = "rand_k", .keep = 0.3}},
  };
  return all;
}

inline std::vector<Sky> all_skies() {
  std::vector<Sky> all;
  for (const auto* some :
       {&skies_of_prompt_letters(), &skies_of_late_letters(), &skies_of_packed_letters()}) {
    all.insert(all.end(), some->begin(), some->end());
  }
  return all;
}

}  // namespace driftless::testing
