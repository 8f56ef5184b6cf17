// Your own problem on Driftless: eight hospitals fit one logistic regression on records that never
// leave them. Implement `Problem`, choose who talks to whom, run K-GT, read the result.
#include <fmt/format.h>

#include <cmath>

#include "driftless/algorithm/registry.hpp"
#include "driftless/base/random.hpp"
#include "driftless/experiment/run.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/weights.hpp"
#include "driftless/network/local_network.hpp"

using namespace driftless;

// f_i(x) = mean over node i's records (a, y) of log(1 + exp(−y aᵀx)) + λ/2 ‖x‖².
class Hospitals final : public Problem<double> {
 public:
  Hospitals() {
    for (NodeId i = 0; i < hospitals; ++i) {
      Eigen::MatrixXd& a = records_.emplace_back(features, patients);  // a record is a column
      fill_normals(a.data(), a.size(), 1.0, Draw{.seed = 7, .node = i}, Purpose::problem_data);
      a.row(0).array() += i - 3.5;  // every hospital sees other patients …
      Eigen::VectorXd& y = outcomes_.emplace_back(patients);
      for (Index r = 0; r < patients; ++r) {
        y[r] = a(0, r) - 0.5 * a(1, r) + 0.1 * i > 0 ? 1.0 : -1.0;  // … and treats them differently
      }
    }
  }

  NodeId nodes() const override { return hospitals; }
  Index dim() const override { return features; }

  // A mini-batch of 32 records; the draw makes it repeatable on any number of threads.
  void gradient(NodeId i, const ConstVectorView<double>& x, const Draw& draw,
                VectorView<double> g) const override {
    g = lambda * x;
    for (std::uint64_t k = 0; k < 32; ++k) {
      add_gradient(i, word(draw, Purpose::gradient_noise, k) % patients, 1.0 / 32, x, g);
    }
  }

  void full_gradient(NodeId i, const ConstVectorView<double>& x, const Draw&,
                     VectorView<double> g) const override {
    g = lambda * x;
    for (Index r = 0; r < patients; ++r) add_gradient(i, r, 1.0 / patients, x, g);
  }

  double loss(NodeId i, const ConstVectorView<double>& x) const override {
    const auto margins = outcomes_[i].array() * (records_[i].transpose() * x).array();
    return (1.0 + (-margins).exp()).log().mean() + 0.5 * lambda * x.squaredNorm();
  }

 private:
  void add_gradient(NodeId i, Index r, double weight, const ConstVectorView<double>& x,
                    VectorView<double> g) const {
    const double y = outcomes_[i][r];
    g -= weight * y / (1.0 + std::exp(y * records_[i].col(r).dot(x))) * records_[i].col(r);
  }

  static constexpr NodeId hospitals = 8;
  static constexpr Index features = 5, patients = 500;
  static constexpr double lambda = 1e-2;
  std::vector<Eigen::MatrixXd> records_;
  std::vector<Eigen::VectorXd> outcomes_;
};

int main() {
  const Hospitals problem;
  LocalNetwork network(
      make_mixing(make_graph({.family = "ring", .nodes = 8}), Weights::metropolis));
  const auto k_gt =
      make_algorithm<double>("k-gt", problem, network, {.local_steps = 10, .local_rate = 0.05});
  const RunResult result = run(*k_gt, problem, network, {.rounds = 200, .evaluate_every = 200});
  fmt::print("{} after {} rounds: loss {:.4f}, |gradient|^2 {:.1e}, {} bytes sent\n",
             name_of(result.outcome), result.last.round, result.last.loss, *result.last.grad_norm2,
             result.last.bytes_total);
  return result.outcome == Outcome::finished && result.last.grad_norm2 < 1e-3 ? 0 : 1;
}
