#include "driftless/algorithm/exact_diffusion.hpp"

namespace driftless {

template <class Real>
void ExactDiffusion<Real>::round(Round t) {
  const Real eta = this->local_rate(t) * this->communication_rate();

  network_.for_each_node([&](NodeId i) {
    auto psi = psi_.get();
    auto g = g_.get();
    problem_.gradient(i, x_[i], this->draw(i, t, 0), g);
    psi = x_[i];
    descend(psi, eta, g);           // adapt
    x_[i] += psi - psi_before_[i];  // correct
    psi_before_[i] = psi;
  });
  network_.mix({&x_}, Mixing::lazy);  // combine
  gradients_ += 1;
}

template class ExactDiffusion<float>;
template class ExactDiffusion<double>;

}  // namespace driftless
