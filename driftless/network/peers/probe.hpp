#pragma once

#include <string>

#include "driftless/network/peers/credentials.hpp"
#include "driftless/network/peers/frame.hpp"
#include "driftless/network/peers/socket.hpp"

namespace driftless::peers {

// Who asks after whom.
struct ProbeRequest {
  std::string own, neighbour;
  Address address;
  StudyHash study{};
  double seconds = 5;  // for all of it
};

struct ProbeResult {
  bool well = false;
  std::string words;      // what was found, or what is wrong
  double latency_ms = 0;  // until the neighbour took the call
};

// Calls a neighbour, looks at its certificate, lets it look at ours, and compares what its hello
// says. We say no hello, so nothing begins anew: a neighbour at work is called again by its
// partner.
ProbeResult probe(const Credentials& credentials, const ProbeRequest& request);

}  // namespace driftless::peers
