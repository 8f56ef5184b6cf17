#include "driftless/experiment/members_optimum.hpp"

#include "driftless/problem/minimise.hpp"

namespace driftless {

template <class Real>
const Optimum* MembersOptimum<Real>::now() {
  const Optimum* of_all = problem_.optimum();
  if (of_all == nullptr || network_.members() == network_.nodes()) return of_all;
  std::vector<bool> members(static_cast<std::size_t>(network_.nodes()));
  for (NodeId i = 0; i < network_.nodes(); ++i) {
    members[static_cast<std::size_t>(i)] = network_.is_member(i);
  }
  if (members == members_) return &found_;

  const auto mean_of_members = [&](const Vector<double>& point, Vector<double>& gradient) {
    Vector<Real> x(point.size());
    x = point.template cast<Real>();
    Vector<Real> mean(x.size());
    network_.mean(
        [&](NodeId i, VectorView<Real> g) { problem_.full_gradient(i, x, Draw{.node = i}, g); },
        mean);
    gradient = mean.template cast<double>();
    return network_.mean([&](NodeId i) { return problem_.loss(i, x); });
  };
  constexpr double as_far_as_rounding_lets_it = 1e-17;
  const Minimum minimum =
      minimise(mean_of_members, of_all->point, {.tolerance = as_far_as_rounding_lets_it});
  found_ = {.point = minimum.point, .value = minimum.value};
  members_ = members;
  return &found_;
}

template class MembersOptimum<float>;
template class MembersOptimum<double>;

}  // namespace driftless
