#include "driftless/problem/least_squares.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

#include "driftless/base/random.hpp"

namespace driftless {
namespace {

Optimum optimum_of(const LeastSquaresData& data) {
  const Index dim = data.A.front().cols();
  const auto nodes = static_cast<double>(data.A.size());
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(dim, dim);
  Vector<double> rhs = Vector<double>::Zero(dim);
  for (std::size_t i = 0; i < data.A.size(); ++i) {
    gram += data.A[i].transpose() * data.A[i];
    rhs += data.A[i].transpose() * data.b[i];
  }
  Optimum optimum;
  optimum.point = gram.completeOrthogonalDecomposition().solve(rhs);
  for (std::size_t i = 0; i < data.A.size(); ++i) {
    optimum.value += 0.5 * (data.A[i] * optimum.point - data.b[i]).squaredNorm() / nodes;
  }
  return optimum;
}

// The largest eigenvalue of any A_iᵀA_i.
template <class Matrix>
double smoothness_of(const std::vector<Matrix>& all) {
  double largest = 0;
  for (const Matrix& A : all) {
    const Eigen::MatrixXd wide = A.template cast<double>();
    const Eigen::MatrixXd gram = wide.rows() < wide.cols()
                                     ? Eigen::MatrixXd(wide * wide.transpose())
                                     : Eigen::MatrixXd(wide.transpose() * wide);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram, Eigen::EigenvaluesOnly);
    largest = std::max(largest, solver.eigenvalues().maxCoeff());
  }
  return largest;
}

template <class Real>
class LeastSquares final : public Problem<Real> {
 public:
  LeastSquares(const LeastSquaresData& data, double noise)
      : dim_(data.A.front().cols()),
        deviation_(std::sqrt(noise / static_cast<double>(dim_))),
        smoothness_(data.smoothness),
        optimum_(data.optimum ? *data.optimum : optimum_of(data)) {
    for (const auto& A : data.A) A_.push_back(A.template cast<Real>());
    for (const auto& b : data.b) b_.push_back(b.template cast<Real>());
    for (const auto& start : data.x0) x0_.push_back(start.template cast<Real>());
  }

  NodeId nodes() const override { return static_cast<NodeId>(A_.size()); }
  Index dim() const override { return dim_; }

  void start(NodeId i, VectorView<Real> x) const override {
    if (x0_.empty()) {
      x.setOnes();
    } else {
      x = x0_[x0_.size() == 1 ? 0 : at(i)];
    }
  }

  void gradient(NodeId i, const ConstVectorView<Real>& x, const Draw& draw,
                VectorView<Real> g) const override {
    full_gradient(i, x, draw, g);
    if (deviation_ > 0) add_normals(g.data(), g.size(), deviation_, draw, Purpose::gradient_noise);
  }

  void full_gradient(NodeId i, const ConstVectorView<Real>& x, const Draw&,
                     VectorView<Real> g) const override {
    const Vector<Real> residual = A_[at(i)] * x - b_[at(i)];
    g.noalias() = A_[at(i)].transpose() * residual;
  }

  double loss(NodeId i, const ConstVectorView<Real>& x) const override {
    return 0.5 * static_cast<double>((A_[at(i)] * x - b_[at(i)]).squaredNorm());
  }

  // Exact because the nodes' gradients sum to zero at the optimum.
  double suboptimality(NodeId i, const ConstVectorView<Real>& x,
                       const Optimum& best) const override {
    const Vector<Real> error = (x.template cast<double>() - best.point).template cast<Real>();
    return 0.5 * static_cast<double>((A_[at(i)] * error).squaredNorm());
  }

  std::optional<double> smoothness() const override {
    return smoothness_ ? smoothness_ : std::optional(smoothness_of(A_));
  }
  const Optimum* optimum() const override { return &optimum_; }

 private:
  static std::size_t at(NodeId i) { return static_cast<std::size_t>(i); }

  Index dim_;
  double deviation_;  // of the noise in one coordinate
  std::vector<Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> A_;  // m_i × d
  std::vector<Vector<Real>> b_;                                                          // m_i
  std::vector<Vector<Real>> x0_;
  std::optional<double> smoothness_;
  Optimum optimum_;
};

}  // namespace

void solve(LeastSquaresData& data) {
  data.optimum = optimum_of(data);
  data.smoothness = smoothness_of(data.A);
}

template <class Real>
std::unique_ptr<Problem<Real>> make_least_squares(LeastSquaresData data, double noise) {
  return std::make_unique<LeastSquares<Real>>(std::move(data), noise);
}

template std::unique_ptr<Problem<float>> make_least_squares(LeastSquaresData, double);
template std::unique_ptr<Problem<double>> make_least_squares(LeastSquaresData, double);

}  // namespace driftless
