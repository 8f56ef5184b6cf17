// Your own problem and your own method in a program that has all commands of `driftless` for them:
//   own_program list
//   mpirun -n 4 own_program run examples/own_program.toml
#include <cmath>

#include "driftless/cli/program.hpp"
#include "driftless/driftless.hpp"

using namespace driftless;
// Sensors measure one line, each with an error of its own: f_i(x) = mean_r |a_r x − b_r|, smoothed.
struct SensorOptions {
  int readings = 100;
  double bias = 1.0;
  static void describe(OptionsOf<SensorOptions>& options) {
    options.add("readings", &SensorOptions::readings, "of each sensor").at_least(1);
    options.add("bias", &SensorOptions::bias, "how wrong a sensor may be").at_least(0);
  }
};

class Sensors final : public Problem<double> {
 public:
  // A process holds the readings of the nodes that it hosts alone.
  Sensors(const SensorOptions& options, const ProblemRequest& request)
      : nodes_(request.nodes), hosted_(request.hosted) {
    for (NodeId i = hosted_.first; i < hosted_.last; ++i) {
      const Draw draw{.seed = request.seed, .node = i};
      Eigen::MatrixXd& a = places_.emplace_back(options.readings, 2);
      fill_normals(a.data(), a.size(), 1.0, draw, Purpose::problem_data);
      a.col(1).setOnes();
      const double error = options.bias * (i % 2 == 0 ? 1 : -1);
      values_.emplace_back(a * Eigen::Vector2d(2.0, 0.5 + error));
    }
  }

  NodeId nodes() const override { return nodes_; }
  Index dim() const override { return 2; }
  // Sixteen readings; the draw makes them repeatable on any number of threads and ranks.
  void gradient(NodeId i, const ConstVectorView<double>& x, const Draw& draw,
                VectorView<double> g) const override {
    g.setZero();
    for (std::uint64_t k = 0; k < 16; ++k) {
      const std::uint64_t any = word(draw, Purpose::gradient_noise, k);
      add_gradient(i, any % static_cast<std::uint64_t>(values(i).size()), 1.0 / 16, x, g);
    }
  }
  void full_gradient(NodeId i, const ConstVectorView<double>& x, const Draw&,
                     VectorView<double> g) const override {
    g.setZero();
    const Index count = values(i).size();
    for (Index r = 0; r < count; ++r) add_gradient(i, r, 1.0 / count, x, g);
  }
  double loss(NodeId i, const ConstVectorView<double>& x) const override {
    return ((places(i) * x - values(i)).array().square() + 1).sqrt().mean();
  }

 private:
  void add_gradient(NodeId i, Index r, double weight, const ConstVectorView<double>& x,
                    VectorView<double> g) const {
    const double residual = places(i).row(r).dot(x) - values(i)[r];
    g += weight * residual / std::sqrt(residual * residual + 1) * places(i).row(r).transpose();
  }
  const Eigen::MatrixXd& places(NodeId i) const { return places_[i - hosted_.first]; }
  const Eigen::VectorXd& values(NodeId i) const { return values_[i - hosted_.first]; }

  NodeId nodes_;
  NodeRange hosted_;
  std::vector<Eigen::MatrixXd> places_;  // of each hosted node
  std::vector<Eigen::VectorXd> values_;
};

struct MomentumOptions {
  double momentum = 0.9;
  static void describe(OptionsOf<MomentumOptions>& options) {
    options.add("momentum", &MomentumOptions::momentum, "share of the last step that a step keeps")
        .at_least(0)
        .at_most(1);
  }
};

// D-SGD with momentum: m ← βm + g, x ← W(x − ηm). Sends 1 vector an edge a round.
template <class Real>
class MomentumDSgd final : public Algorithm<Real> {
 public:
  using Own = MomentumOptions;
  MomentumDSgd(const Problem<Real>& problem, Network& network, const AlgorithmOptions& options)
      : Algorithm<Real>(problem, network, options),
        g_(problem.dim()),
        beta_(static_cast<Real>(this->template own<Own>().momentum)) {}

  void round(Round t) override {
    this->network_.for_each_node([&](NodeId i) {
      auto g = g_.get();
      this->problem_.gradient(i, this->x_[i], this->draw(i, t, 0), g);
      m_[i] = beta_ * m_[i] + g;
      descend(this->x_[i], this->local_rate(t) * this->communication_rate(), m_[i]);
    });
    this->network_.mix({&this->x_});
    this->gradients_ += 1;
  }
  std::vector<NamedRows<Real>> state() override { return {{"x", &this->x_}, {"m", &m_}}; }

 private:
  Rows<Real> m_;
  Scratch<Real> g_;
  Real beta_;
};

int main(int argc, char** argv) {
  register_problem(
      problem_kind<SensorOptions>("sensors", "a line through the readings of biased sensors",
                                  [](const SensorOptions& options, const ProblemRequest& request) {
                                    return std::make_unique<Sensors>(options, request);
                                  }));
  register_algorithm(
      algorithm_kind<MomentumDSgd>({.name = "momentum-d-sgd",
                                    .title = "D-SGD with momentum",
                                    .summary = "steps along a mean of past gradients",
                                    .vectors_an_edge = 1,
                                    .local_steps = false}));
  return program(argc, argv);
}
