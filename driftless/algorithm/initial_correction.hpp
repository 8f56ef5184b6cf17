#pragma once

#include "driftless/network/network.hpp"

namespace driftless {

// Turns the gradients g_i that c holds into corrections c_i = mean_j g_j − g_i, by one global
// average. `room` is any rows that may be overwritten.
template <class Real>
void to_initial_corrections(Network& network, Rows<Real>& c, Rows<Real>& room) {
  network.for_each_node([&](NodeId i) { room[i] = c[i]; });
  network.average({&room});
  network.for_each_node([&](NodeId i) { c[i] = room[i] - c[i]; });
}

}  // namespace driftless
