#include "driftless/algorithm/gt.hpp"

namespace driftless {

template <class Real>
void Gt<Real>::begin() {
  network_.for_each_node([&](NodeId i) {
    sample(i, 0, g_[i]);
    z_[i] = g_[i];
  });
  gradients_ += samples();
  if (own_.from_gradients()) network_.average({&z_});
}

template <class Real>
void Gt<Real>::round(Round t) {
  const Real eta = this->local_rate(t) * this->communication_rate();

  network_.for_each_node([&](NodeId i) { descend(x_[i], eta, z_[i]); });
  network_.mix({&x_, &z_});
  network_.for_each_node([&](NodeId i) {
    auto new_g = new_g_.get();
    sample(i, t + 1, new_g);
    z_[i] += new_g - g_[i];
    g_[i] = new_g;
  });
  gradients_ += samples();
}

template class Gt<float>;
template class Gt<double>;

}  // namespace driftless
