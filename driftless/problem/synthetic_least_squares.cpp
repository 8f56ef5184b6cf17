#include <cmath>

#include "driftless/base/random.hpp"
#include "driftless/problem/least_squares.hpp"
#include "driftless/problem/quadratic_kernels.hpp"

namespace driftless {

namespace {

// With h_i = i²/n and q_i = A_iᵀb_i, ∇f_i(x) = h_i x − q_i: only h and q are kept.
template <class Real>
class SyntheticLeastSquares final : public Problem<Real> {
 public:
  explicit SyntheticLeastSquares(const SyntheticOptions& options)
      : nodes_(options.nodes),
        deviation_(std::sqrt(options.noise / static_cast<double>(options.dim))),
        h_(options.nodes),
        q_(options.nodes, options.dim) {
    const double zeta = std::sqrt(options.heterogeneity);
    Vector<double> b(options.dim);
    Vector<double> sum_q = Vector<double>::Zero(options.dim);
    double sum_h = 0;
    for (NodeId i = 0; i < nodes_; ++i) {
      h_[i] = (i + 1.0) * (i + 1.0) / nodes_;
      fill_normals(b.data(), b.size(), zeta / (i + 1), Draw{.seed = options.seed, .node = i},
                   Purpose::problem_data);
      q_.row(i) = (scale(i) * b).template cast<Real>();
      sum_q += q_.row(i).transpose().template cast<double>();
      sum_h += h_[i];
    }
    optimum_.point = sum_q / sum_h;
    const Vector<Real> point = optimum_.point.template cast<Real>();
    for (NodeId i = 0; i < nodes_; ++i) optimum_.value += loss(i, point) / nodes_;
  }

  NodeId nodes() const override { return nodes_; }
  Index dim() const override { return q_.cols(); }
  void start(NodeId, VectorView<Real> x) const override { x.setOnes(); }

  void gradient(NodeId i, const ConstVectorView<Real>& x, const Draw& draw,
                VectorView<Real> g) const override {
    full_gradient(i, x, draw, g);
    if (deviation_ > 0) add_normals(g.data(), g.size(), deviation_, draw, Purpose::gradient_noise);
  }

  void step(NodeId i, VectorView<Real> y, Real rate, const ConstVectorView<Real>& c,
            const Draw& draw, VectorView<Real> g) const override {
    const bool noisy = deviation_ > 0;
    if (noisy) fill_normals(g.data(), g.size(), deviation_, draw, Purpose::gradient_noise);
    kernel::descend_quadratic(y.data(), rate, static_cast<Real>(h_[i]), q_.row(i).data(),
                              noisy ? g.data() : nullptr, c.data(), y.size());
  }

  void full_gradient(NodeId i, const ConstVectorView<Real>& x, const Draw&,
                     VectorView<Real> g) const override {
    kernel::scale_minus(g.data(), static_cast<Real>(h_[i]), x.data(), q_.row(i).data(), g.size());
  }

  double loss(NodeId i, const ConstVectorView<Real>& x) const override {
    const double a = scale(i);
    return 0.5 * (a * x.template cast<double>() - q_.row(i).transpose().template cast<double>() / a)
                     .squaredNorm();
  }

  double suboptimality(NodeId i, const ConstVectorView<Real>& x) const override {
    return 0.5 * h_[i] * (x.template cast<double>() - optimum_.point).squaredNorm();
  }

  std::optional<double> smoothness() const override { return h_[nodes_ - 1]; }
  const Optimum* optimum() const override { return &optimum_; }

 private:
  double scale(NodeId i) const { return (i + 1) / std::sqrt(static_cast<double>(nodes_)); }

  NodeId nodes_;
  double deviation_;  // of the noise in one coordinate
  Vector<double> h_;  // n
  Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> q_;  // n × d
  Optimum optimum_;
};

}  // namespace

template <class Real>
std::unique_ptr<Problem<Real>> make_synthetic_least_squares(const SyntheticOptions& options) {
  return std::make_unique<SyntheticLeastSquares<Real>>(options);
}

template std::unique_ptr<Problem<float>> make_synthetic_least_squares(const SyntheticOptions&);
template std::unique_ptr<Problem<double>> make_synthetic_least_squares(const SyntheticOptions&);

}  // namespace driftless
