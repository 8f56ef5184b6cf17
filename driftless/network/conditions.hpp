#pragma once

#include <memory>
#include <tuple>

#include "driftless/network/codec.hpp"
#include "driftless/network/weather.hpp"

namespace driftless {

// What letters go through: links that may change from round to round, faults, and a codec.
struct Conditions {
  std::shared_ptr<const LinkSequence> links;
  FaultOptions faults = {};
  Trace trace = {};
  // Null: letters are whole.
  std::tuple<std::shared_ptr<const Codec<float>>, std::shared_ptr<const Codec<double>>> codecs = {};
  double codec_rate = 1;   // γ: how far rows follow what compressed letters say
  std::uint64_t seed = 1;  // of what a codec draws
};

}  // namespace driftless
