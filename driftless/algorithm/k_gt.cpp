#include "driftless/algorithm/k_gt.hpp"

#include "driftless/algorithm/initial_correction.hpp"

namespace driftless {

template <class Real>
void KGt<Real>::begin() {
  c_ = this->zero_rows();
  z_ = this->zero_rows();
  if (options_.initial_correction == InitialCorrection::gradient) {
    network_.for_each_node(
        [&](NodeId i) { problem_.gradient(i, x_[i], this->draw(i, 0, 0), c_[i]); });
    gradients_ += 1;
    to_initial_corrections(network_, c_, z_);
  }
}

template <class Real>
void KGt<Real>::round(Round t) {
  const Step K = options_.local_steps;
  const Real eta_c = this->local_rate(t);
  const Real eta_s = this->communication_rate();
  const Real per_step = 1 / (K * eta_c);

  network_.for_each_node([&](NodeId i) {
    auto y = y_.get();
    auto g = g_.get();
    y = x_[i];
    for (Step k = 0; k < K; ++k) {  // K corrected local steps
      problem_.gradient(i, y, this->draw(i, t, k), g);
      descend(y, eta_c, g, c_[i]);
    }
    z_[i] = (x_[i] - y) * per_step;  // the direction this node really took
    c_[i] -= z_[i];
    descend(x_[i], K * eta_s * eta_c, z_[i]);
  });
  network_.mix({&x_, &z_});  // one message an edge carries both
  network_.for_each_node([&](NodeId i) { c_[i] += z_[i]; });
  gradients_ += K;
}

template class KGt<float>;
template class KGt<double>;

}  // namespace driftless
