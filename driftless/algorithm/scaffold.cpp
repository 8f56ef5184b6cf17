#include "driftless/algorithm/scaffold.hpp"

#include "driftless/base/error.hpp"

namespace driftless {

template <class Real>
void Scaffold<Real>::begin() {
  const NodeId first = network_.hosted().first;
  network_.for_each_node([&](NodeId i) {
    if (x_[i] != x_[first]) {
      throw ConfigError("scaffold starts from the server's one model, but node " +
                        std::to_string(i) + " starts elsewhere than node " + std::to_string(first) +
                        "; give one x0 for all nodes");
    }
  });
  if (own_.from_gradients()) {
    network_.for_each_node([&](NodeId i) {
      problem_.gradient(i, x_[i], this->draw(i, 0, 0), ci_[i]);
      c_[i] = ci_[i];
    });
    gradients_ += 1;
    network_.average({&c_});
  }
}

template <class Real>
void Scaffold<Real>::round(Round t) {
  const Step K = options_.local_steps;
  const Real eta_c = this->local_rate(t);
  const Real eta_s = this->communication_rate();

  network_.for_each_node([&](NodeId i) {
    auto y = y_.get();
    auto g = g_.get();
    auto r = r_.get();
    y = x_[i];
    r = c_[i] - ci_[i];
    for (Step k = 0; k < K; ++k) {
      problem_.step(i, y, eta_c, r, this->draw(i, t, k), g);
    }
    dx_[i] = y - x_[i];
    dc_[i] = -c_[i] - dx_[i] / (K * eta_c);  // c_i⁺ − c_i
    ci_[i] += dc_[i];
  });
  network_.average({&dx_, &dc_});
  network_.for_each_node([&](NodeId i) {
    x_[i] += eta_s * dx_[i];
    c_[i] += dc_[i];
  });
  gradients_ += K;
}

template class Scaffold<float>;
template class Scaffold<double>;

}  // namespace driftless
