#pragma once

#include "driftless/network/rows.hpp"

namespace driftless {

// What a network asks of the method whose rows it mixes, where nodes are lost and come back.
template <class Real>
class Member : public Interface {
 public:
  // A neighbour of node i is lost: the sum of all that mixing added to i over that link, in the row
  // that the method sums up, is to be taken out of it again.
  virtual void take_back(NodeId /*i*/, const ConstVectorView<Real>& /*flow*/) {}
  // Node i comes (back) before round t and has a neighbour's model; all else that it had is gone.
  virtual void join(NodeId /*i*/, Round /*t*/) {}
};

}  // namespace driftless
