#pragma once

#include <filesystem>
#include <memory>

#include "driftless/base/hosting.hpp"
#include "driftless/problem/problem.hpp"

namespace driftless {

// The synthetic problem of Liu et al.: f_i(x) = ½‖A_i x − b_i‖² with A_i = (i/√n) I and
// b_i ~ N(0, ζ²/i² I) for i = 1 … n. Node i's curvature is i²/n, so one common rate suits no two
// nodes, and ζ² sets how far apart the local optima lie. Every node starts from all ones: at ζ² = 0
// the optimum is zero, and a zero start would begin there.
struct SyntheticOptions {
  NodeId nodes = 10;
  Index dim = 50;
  double heterogeneity = 1.0;  // ζ²
  double noise = 1.0;  // σ² = E‖∇F_i(x; ξ) − ∇f_i(x)‖², over all coordinates together
  std::uint64_t seed = 1;                // draws b
  std::optional<NodeRange> hosted = {};  // the nodes whose data are kept; unset: all
};
template <class Real>
std::unique_ptr<Problem<Real>> make_synthetic_least_squares(const SyntheticOptions& options);

// f_i(x) = ½‖A_i x − b_i‖² with A_i (m_i × d) and b_i as given, plus Gaussian gradient noise of
// total variance σ². The minimiser of least norm is found by a complete orthogonal decomposition.
struct LeastSquaresData {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  std::vector<Matrix> A;           // n matrices, m_i × d
  std::vector<Vector<double>> b;   // n vectors of m_i
  std::vector<Vector<double>> x0;  // one start for all, or one for each node; empty: all ones
  // What all nodes together tell. Once it is known, a process may drop the rows of A_i and b_i of
  // nodes that it does not host; unset: it is found from them when it is needed.
  std::optional<Optimum> optimum = {};
  std::optional<double> smoothness = {};
};
// Finds the optimum and the smoothness.
void solve(LeastSquaresData& data);

template <class Real>
std::unique_ptr<Problem<Real>> make_least_squares(LeastSquaresData data, double noise);

// Reads {"A": [n][m_i][d], "b": [n][m_i], "x0": [d] or [n][d]}; "x0" may be left out.
LeastSquaresData read_least_squares(const std::filesystem::path& file);

}  // namespace driftless
