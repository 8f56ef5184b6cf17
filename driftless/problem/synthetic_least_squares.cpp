#include <cmath>

#include "driftless/base/random.hpp"
#include "driftless/problem/least_squares.hpp"
#include "driftless/problem/quadratic_kernels.hpp"

namespace driftless {
namespace {

// With h_i = i²/n and q_i = A_iᵀb_i, ∇f_i(x) = h_i x − q_i: only q is kept, of the hosted nodes.
template <class Real>
class SyntheticLeastSquares final : public Problem<Real> {
 public:
  explicit SyntheticLeastSquares(const SyntheticOptions& options)
      : nodes_(options.nodes),
        deviation_(std::sqrt(options.noise / static_cast<double>(options.dim))),
        hosted_(options.hosted.value_or(NodeRange{0, options.nodes})),
        h_(options.nodes),
        q_(hosted_.size(), options.dim) {
    // The optimum needs every node's b. Those of nodes hosted elsewhere are drawn and dropped.
    Vector<double> sum_q = Vector<double>::Zero(options.dim);
    double sum_h = 0;
    for (NodeId i = 0; i < nodes_; ++i) {
      const Vector<Real> q = draw_q(i, options);
      if (hosted_.contains(i)) q_.row(i - hosted_.first) = q;
      sum_q += q.template cast<double>();
      h_[i] = (i + 1.0) * (i + 1.0) / nodes_;
      sum_h += h_[i];
    }
    optimum_.point = sum_q / sum_h;
    const Vector<Real> point = optimum_.point.template cast<Real>();
    for (NodeId i = 0; i < nodes_; ++i) {
      optimum_.value +=
          (hosted_.contains(i) ? loss(i, point) : loss_of(i, draw_q(i, options), point)) / nodes_;
    }
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
    kernel::descend_quadratic(y.data(), rate, static_cast<Real>(h_[i]), q(i),
                              noisy ? g.data() : nullptr, c.data(), y.size());
  }

  void full_gradient(NodeId i, const ConstVectorView<Real>& x, const Draw&,
                     VectorView<Real> g) const override {
    kernel::scale_minus(g.data(), static_cast<Real>(h_[i]), x.data(), q(i), g.size());
  }

  double loss(NodeId i, const ConstVectorView<Real>& x) const override {
    return loss_of(i, Eigen::Map<const Vector<Real>>(q(i), dim()), x);
  }

  double suboptimality(NodeId i, const ConstVectorView<Real>& x,
                       const Optimum& best) const override {
    return 0.5 * h_[i] * (x.template cast<double>() - best.point).squaredNorm();
  }

  std::optional<double> smoothness() const override { return h_[nodes_ - 1]; }
  const Optimum* optimum() const override { return &optimum_; }

 private:
  double scale(NodeId i) const { return (i + 1) / std::sqrt(static_cast<double>(nodes_)); }
  const Real* q(NodeId i) const { return q_.row(i - hosted_.first).data(); }

  Vector<Real> draw_q(NodeId i, const SyntheticOptions& options) const {
    Vector<double> b(options.dim);
    fill_normals(b.data(), b.size(), std::sqrt(options.heterogeneity) / (i + 1),
                 Draw{.seed = options.seed, .node = i}, Purpose::problem_data);
    return (scale(i) * b).template cast<Real>();
  }
  double loss_of(NodeId i, const ConstVectorView<Real>& q, const ConstVectorView<Real>& x) const {
    const double a = scale(i);
    return 0.5 * (a * x.template cast<double>() - q.template cast<double>() / a).squaredNorm();
  }

  NodeId nodes_;
  double deviation_;  // of the noise in one coordinate
  NodeRange hosted_;
  Vector<double> h_;                                                        // n
  Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> q_;  // hosted nodes × d
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
