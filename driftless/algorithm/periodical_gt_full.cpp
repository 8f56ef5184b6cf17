#include "driftless/algorithm/periodical_gt_full.hpp"

#include "driftless/algorithm/initial_correction.hpp"

namespace driftless {

template <class Real>
void PeriodicalGtFull<Real>::begin() {
  c_ = this->zero_rows();
  g_ = this->zero_rows();
  if (options_.initial_correction == InitialCorrection::gradient) {
    network_.for_each_node(
        [&](NodeId i) { problem_.gradient(i, x_[i], this->draw(i, 0, 0), c_[i]); });
    gradients_ += 1;
    to_initial_corrections(network_, c_, g_);
  }
}

template <class Real>
void PeriodicalGtFull<Real>::round(Round t) {
  const Step K = options_.local_steps;
  const Real eta_c = this->local_rate(t);
  const Real eta_s = this->communication_rate();

  network_.for_each_node([&](NodeId i) {
    auto y = y_.get();
    auto one = one_.get();
    y = x_[i];
    for (Step k = 0; k < K - 1; ++k) {
      problem_.step(i, y, eta_c, c_[i], this->draw(i, t, k), one);
    }
    problem_.full_gradient(i, y, this->draw(i, t, K - 1), g_[i]);
    descend(y, eta_c, g_[i], c_[i]);
    x_[i] -= eta_s * (x_[i] - y);
    c_[i] += g_[i];
  });
  network_.mix({&x_, &c_});
  network_.for_each_node([&](NodeId i) { c_[i] -= g_[i]; });  // c ← W(c + g) − g
  gradients_ += K - 1;
}

template class PeriodicalGtFull<float>;
template class PeriodicalGtFull<double>;

}  // namespace driftless
