#include "driftless/algorithm/periodical_gt.hpp"

namespace driftless {

template <class Real>
void PeriodicalGt<Real>::begin() {
  network_.for_each_node([&](NodeId i) { track(i, x_[i], this->draw(i, 0, 0)); });
  gradients_ += 1;
  if (own_.from_gradients()) network_.average({&z_});
}

template <class Real>
void PeriodicalGt<Real>::round(Round t) {
  const Step K = options_.local_steps;
  const Real eta_c = this->local_rate(t);
  const Real eta_s = this->communication_rate();

  network_.for_each_node([&](NodeId i) {
    auto y = y_.get();
    y = x_[i];
    for (Step k = 0; k < K - 1; ++k) {
      descend(y, eta_c, z_[i]);
      track(i, y, this->draw(i, t, k + 1));
    }
    descend(y, eta_c, z_[i]);
    x_[i] -= eta_s * (x_[i] - y);
  });
  network_.mix({&x_, &z_});
  network_.for_each_node([&](NodeId i) { track(i, x_[i], this->draw(i, t + 1, 0)); });
  gradients_ += K;
}

template <class Real>
void PeriodicalGt<Real>::track(NodeId i, Eigen::Map<Vector<Real>> at, const Draw& draw) {
  auto new_g = new_g_.get();
  problem_.gradient(i, at, draw, new_g);
  z_[i] += new_g - g_[i];
  g_[i] = new_g;
}

template class PeriodicalGt<float>;
template class PeriodicalGt<double>;

}  // namespace driftless
