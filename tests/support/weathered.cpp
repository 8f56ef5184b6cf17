#include "tests/support/weathered.hpp"

#include <ostream>

#include "driftless/algorithm/registry.hpp"
#include "driftless/graph/sequence_families.hpp"

namespace driftless::testing {
namespace {

std::shared_ptr<const LinkSequence> links_of(const Weathered& weathered) {
  if (weathered.sequence.empty()) return make_fixed(weathered.instance.mixing());
  return make_sequence({.family = weathered.sequence,
                        .nodes = weathered.instance.nodes,
                        .seed = weathered.instance.seed});
}

// One time in two, unless it is not wanted.
bool maybe(bool wanted) { return *rc::gen::arbitrary<bool>() && wanted; }

FaultOptions some_faults(const Moods& moods, std::uint64_t seed) {
  using namespace rc;
  FaultOptions faults{.seed = seed};
  if (maybe(moods.changing_links)) {
    faults.drop = *gen::element(0.1, 0.3, 0.7);
    faults.burst = *gen::element(1.0, 2.5);
  }
  if (maybe(moods.pauses)) {
    faults.pause = *gen::element(0.05, 0.2);
    faults.pause_rounds = *gen::element(1.0, 2.5);
  }
  if (maybe(moods.crashes)) {
    faults.crash = *gen::element(0.02, 0.1);
    if (*gen::arbitrary<bool>()) faults.join_after = *gen::inRange<Round>(1, 4);
  }
  if (maybe(moods.late_letters)) {
    faults.late = *gen::element(0.1, 0.4);
    faults.late_rounds = *gen::inRange<Round>(1, 4);
  }
  if (maybe(moods.slow_nodes)) faults.slow = 0.5;
  return faults;
}

CompressionOptions any_codec(bool faithful) {
  using namespace rc;
  std::vector<std::string> codecs{"int4", "int8", "bf16"};
  if (!faithful) codecs.insert(codecs.end(), {"qsgd", "sign", "top_k", "rand_k"});
  return {.codec = *gen::elementOf(codecs), .block = *gen::inRange(1, 5), .keep = 0.4};
}

}  // namespace

Conditions Weathered::conditions() const {
  return {.links = links_of(*this),
          .faults = faults,
          .codecs = {make_codec<float>(compression), make_codec<double>(compression)},
          .codec_rate = default_rate(compression, instance.dim),
          .seed = instance.seed};
}

std::ostream& operator<<(std::ostream& stream, const Weathered& w) {
  const FaultOptions& f = w.faults;
  stream << w.kind << " on " << (w.sequence.empty() ? "fixed links" : w.sequence) << ", drop "
         << f.drop << " in bursts of " << f.burst << ", pause " << f.pause << " for "
         << f.pause_rounds << ", crash " << f.crash << " for "
         << (f.join_after ? std::to_string(*f.join_after) : "ever") << ", late " << f.late
         << " by at most " << f.late_rounds << ", slow " << f.slow << ", codec "
         << w.compression.codec;
  return stream << "; " << w.instance;
}

rc::Gen<Weathered> any_weathered(const std::vector<std::string>& kinds, Moods moods) {
  using namespace rc;
  return gen::exec([=] {
    Weathered weathered{.kind = *gen::elementOf(kinds), .instance = *any_instance()};
    const AlgorithmKind& kind = *find_algorithm_kind(weathered.kind);
    Instance& instance = weathered.instance;
    if (!kind.local_steps) instance.local_steps = 1;
    if (!kind.communication_rate) instance.communication_rate = 1;
    if (kind.one_start) instance.distinct_starts = false;
    Moods left = moods;
    if (maybe(moods.codecs)) {
      left = {.changing_links = false,
              .pauses = false,
              .crashes = false,
              .late_letters = false,
              .slow_nodes = moods.slow_nodes};
      weathered.compression = any_codec(kind.faithful_letters);
    }
    if (maybe(left.changing_links)) {
      weathered.sequence =
          *gen::element<std::string>("one_peer_exponential", "random_matching", "base_graph");
    }
    weathered.faults = some_faults(left, instance.seed + 1);
    // The server that tells all nodes the mean gradient cannot take back a lost node's part of it.
    if (!kind.has("initial_correction") || weathered.faults.crash > 0) {
      instance.gradient_start = false;
    }
    return weathered;
  });
}

std::vector<std::string> methods_of_corrections() {
  return {"k-gt", "periodical-gt-full", "gt", "periodical-gt", "large-batch-gt", "led",
          "d2",   "exact-diffusion"};
}

std::vector<std::string> methods_of_neighbours() {
  std::vector<std::string> all = methods_of_corrections();
  all.insert(all.end(), {"d-sgd", "large-batch-d-sgd"});
  return all;
}

}  // namespace driftless::testing
