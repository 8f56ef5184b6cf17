#include "driftless/algorithm/k_gt.hpp"

#include "driftless/algorithm/close_round.hpp"

namespace driftless {

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
      problem_.step(i, y, eta_c, c_[i], this->draw(i, t, k), g);
    }
    // z ← (x − y)/(K η_c), the direction this node really took; c ← c − z; x ← x − K η_s η_c z
    kernel::close_round(x_.row(i), y.data(), c_.row(i), z_.row(i), per_step, K * eta_s * eta_c,
                        y.size());
  });
  network_.mix({&x_, &z_});  // one message an edge carries both
  network_.for_each_node([&](NodeId i) { c_[i] += z_[i]; });
  gradients_ += K;
}

template class KGt<float>;
template class KGt<double>;

}  // namespace driftless
