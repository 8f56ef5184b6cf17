#include "driftless/algorithm/large_batch_d_sgd.hpp"

#include "driftless/algorithm/large_batch.hpp"

namespace driftless {

template <class Real>
void LargeBatchDSgd<Real>::round(Round t) {
  const Step K = options_.local_steps;
  const Real eta = this->local_rate(t) * this->communication_rate();

  network_.for_each_node([&](NodeId i) {
    auto g = g_.get();
    sum_of_gradients<Real>(problem_, this->draw(i, t, 0), K, x_[i], one_.get(), g);
    descend(x_[i], eta, g);
  });
  network_.mix({&x_});
  gradients_ += K;
}

template class LargeBatchDSgd<float>;
template class LargeBatchDSgd<double>;

}  // namespace driftless
