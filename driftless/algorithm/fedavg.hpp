#pragma once

#include "driftless/algorithm/d_sgd.hpp"

namespace driftless {

// FedAvg (local SGD), all nodes taking part: K local steps, then the exact average, through a
// server. H. B. McMahan et al.: Communication-Efficient Learning of Deep Networks from
// Decentralized Data, AISTATS 2017.
//
// Sends 1 vector up and 1 down for each node a round; the server carries them all.
template <class Real>
class FedAvg final : public DSgd<Real> {
 public:
  using DSgd<Real>::DSgd;

 private:
  void exchange(Round /*t*/) override { this->network_.average({&this->x_}); }
};

}  // namespace driftless
