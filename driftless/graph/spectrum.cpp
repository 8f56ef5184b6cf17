#include "driftless/graph/spectrum.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

namespace driftless {

Spectrum spectrum(const MixingMatrix& mixing) {
  const NodeId n = mixing.nodes();
  if (n == 1) return {};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(mixing.to_dense(),
                                                              Eigen::EigenvaluesOnly);
  const double lambda2 = solver.eigenvalues()(n - 2);
  const double lambda_min = solver.eigenvalues()(0);
  const double gap = std::clamp(std::min(1 - lambda2, 1 + lambda_min), 0.0, 1.0);
  return {lambda2, lambda_min, gap, gap * (2 - gap)};
}

}  // namespace driftless
