#include "driftless/algorithm/led.hpp"

namespace driftless {

template <class Real>
void Led<Real>::round(Round t) {
  const Step K = options_.local_steps;
  const Real eta_c = this->local_rate(t);

  network_.for_each_node([&](NodeId i) {
    auto phi = phi_.get();
    auto g = g_.get();
    phi = x_[i];
    for (Step k = 0; k < K; ++k) {
      problem_.gradient(i, phi, this->draw(i, t, k), g);
      descend(phi, eta_c, g);
      descend(phi, beta(), y_[i]);
    }
    x_[i] = phi;
    y_[i] += phi;
  });
  network_.mix({&x_}, own_.mixing());
  network_.for_each_node([&](NodeId i) { y_[i] -= x_[i]; });  // y ← y + φ − x'
  latest_rate_ = eta_c;
  gradients_ += K;
}

template class Led<float>;
template class Led<double>;

}  // namespace driftless
