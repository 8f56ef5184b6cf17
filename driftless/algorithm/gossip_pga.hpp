#pragma once

#include "driftless/algorithm/d_sgd.hpp"

namespace driftless {

// Gossip-PGA: D-SGD that replaces every H-th exchange by the exact average.
// Y. Chen et al.: Accelerating Gossip SGD with Periodic Global Averaging, ICML 2021.
//
//   H  rounds from one global average to the next
//
// Sends 1 vector an edge a round, and every H-th round 1 up and 1 down for each node instead.
template <class Real>
class GossipPga final : public DSgd<Real> {
 public:
  using DSgd<Real>::DSgd;

 private:
  void exchange(Round t) override {
    const Round H = this->options_.global_every;
    if ((t + 1) % H == 0) {
      this->network_.average({&this->x_});
    } else {
      this->network_.mix({&this->x_});
    }
  }
};

}  // namespace driftless
