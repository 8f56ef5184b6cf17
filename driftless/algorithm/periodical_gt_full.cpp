#include "driftless/algorithm/periodical_gt_full.hpp"

namespace driftless {

template <class Real>
void PeriodicalGtFull<Real>::round(Round t) {
  const Step K = options_.local_steps;
  const Real eta_c = this->local_rate(t);
  const Real eta_s = this->communication_rate();

  network_.for_each_node([&](NodeId i) {
    auto y = y_.get();
    auto one = g_.get();
    y = x_[i];
    for (Step k = 0; k < K - 1; ++k) {
      problem_.step(i, y, eta_c, c_[i], this->draw(i, t, k), one);
    }
    problem_.full_gradient(i, y, this->draw(i, t, K - 1), z_[i]);
    descend(y, eta_c, z_[i], c_[i]);
    x_[i] -= eta_s * (x_[i] - y);
    c_[i] += z_[i];
  });
  network_.mix({&x_, &c_});
  network_.for_each_node([&](NodeId i) { c_[i] -= z_[i]; });  // c ← W(c + z) − z
  gradients_ += K - 1;
}

template class PeriodicalGtFull<float>;
template class PeriodicalGtFull<double>;

}  // namespace driftless
