#pragma once

#include "driftless/algorithm/d_sgd.hpp"

namespace driftless {

struct GossipPgaOptions {
  Round global_every = 10;  // H

  static void describe(OptionsOf<GossipPgaOptions>& options) {
    options
        .add("global_every", &GossipPgaOptions::global_every,
             "H, rounds between two global averages")
        .at_least(1);
  }
};

// Gossip-PGA: D-SGD that replaces every H-th exchange by the exact average.
// Y. Chen et al.: Accelerating Gossip SGD with Periodic Global Averaging, ICML 2021.
//
//   H  rounds from one global average to the next
//
// Sends 1 vector an edge a round, and every H-th round 1 up and 1 down for each node instead.
template <class Real>
class GossipPga final : public DSgd<Real> {
 public:
  using Own = GossipPgaOptions;
  using DSgd<Real>::DSgd;

 private:
  void exchange(Round t) override {
    if ((t + 1) % own_.global_every == 0) {
      this->network_.average({&this->x_}, Answer::for_present);
    } else {
      this->network_.mix({&this->x_});
    }
  }

  const GossipPgaOptions own_ = this->template own<GossipPgaOptions>();
};

}  // namespace driftless
