#include "driftless/problem/nn/softmax.hpp"

namespace driftless {

template <class Real>
Softmax<Real>::Softmax(const Dataset& data) : Mlp<Real>(data, {}) {}

template <class Real>
void Softmax<Real>::initialise(const Draw& /*draw*/, VectorView<Real> x) const {
  x.setZero();
}

template class Softmax<float>;
template class Softmax<double>;

}  // namespace driftless
