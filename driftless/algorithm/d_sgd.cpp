#include "driftless/algorithm/d_sgd.hpp"

namespace driftless {

template <class Real>
void DSgd<Real>::round(Round t) {
  const Step K = options_.local_steps;
  const Real eta_c = this->local_rate(t);
  const Real eta_s = this->communication_rate();

  network_.for_each_node([&](NodeId i) {
    auto y = y_.get();
    auto g = g_.get();
    y = x_[i];
    for (Step k = 0; k < K; ++k) {
      problem_.gradient(i, y, this->draw(i, t, k), g);
      descend(y, eta_c, g);
    }
    x_[i] -= eta_s * (x_[i] - y);
  });
  exchange(t);
  gradients_ += K;
}

template class DSgd<float>;
template class DSgd<double>;

}  // namespace driftless
