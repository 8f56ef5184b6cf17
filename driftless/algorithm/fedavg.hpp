#pragma once

#include "driftless/algorithm/d_sgd.hpp"

namespace driftless {

// FedAvg (local SGD): K local steps of the nodes that take part, then their exact average, through
// a server. Who does not reach the server in a round takes no part in it, and finds the server's
// model when it does. H. B. McMahan et al.: Communication-Efficient Learning of Deep Networks from
// Decentralized Data, AISTATS 2017.
//
// Sends 1 vector up and 1 down for each node a round; the server carries them all.
template <class Real>
class FedAvg final : public DSgd<Real> {
 public:
  using DSgd<Real>::DSgd;

 private:
  void at_work(FunctionRef<void(NodeId)> work) override { this->network_.for_each_client(work); }
  void exchange(Round /*t*/) override { this->network_.average({&this->x_}); }
};

}  // namespace driftless
