#include "driftless/algorithm/d2.hpp"

namespace driftless {

template <class Real>
void D2<Real>::round(Round t) {
  const Real eta = this->local_rate(t) * this->communication_rate();

  network_.for_each_node([&](NodeId i) {
    auto s = s_.get();
    auto next = next_.get();
    problem_.gradient(i, x_[i], this->draw(i, t, 0), s);
    s *= eta;
    next = 2 * x_[i] - x_before_[i] - (s - s_before_[i]);
    x_before_[i] = x_[i];
    s_before_[i] = s;
    x_[i] = next;
  });
  network_.mix({&x_}, own_.mixing());
  gradients_ += 1;
}

template class D2<float>;
template class D2<double>;

}  // namespace driftless
