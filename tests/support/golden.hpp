#pragma once

#include <map>
#include <string>
#include <vector>

#include "driftless/graph/mixing_matrix.hpp"
#include "driftless/problem/least_squares.hpp"

namespace driftless::testing {

// Exact trajectories of every method on five nodes in three dimensions (tests/golden/golden.json),
// made by an independent implementation.
struct GoldenCase {
  std::string name, algorithm, problem, mixing;
  std::string kind;             // our name of its algorithm; empty for a line as it is misprinted
  bool lazy = false;            // mixes with (I + W)/2 by option
  bool gradient_start = false;  // initial_correction = "gradient"
  bool noisy = false;
  bool distinct_starts = false;
  Step local_steps = 1;
  double local_rate = 0;
  double communication_rate = 0;
  Round rounds = 0;
  Round global_every = 10;
  std::vector<Eigen::MatrixXd> X;  // after t rounds, nodes × d
  struct Metrics {
    double suboptimality, grad_norm2, consensus;
  };
  std::vector<Metrics> metrics;                       // after t rounds
  std::map<std::string, Eigen::MatrixXd> final_rows;  // "C", "Z", "G", "ci", "Y"
};

struct Golden {
  LeastSquaresData problem(const GoldenCase& golden) const;
  MixingMatrix mixing(const GoldenCase& golden) const;

  std::vector<GoldenCase> cases;
  // noise[t][k]: nodes × d, added to the gradient of sample (t, k).
  std::vector<std::vector<Eigen::MatrixXd>> noise;
  std::map<std::string, LeastSquaresData> problems;
  std::vector<Vector<double>> common_start, distinct_starts;
  std::map<std::string, Eigen::MatrixXd> mixings;
  std::map<std::string, Optimum> optima;
};

const Golden& golden();

// The problem of a case: least squares whose noise comes from the golden table, not from a
// generator.
class GoldenProblem final : public Problem<double> {
 public:
  explicit GoldenProblem(const GoldenCase& golden_case);

  NodeId nodes() const override { return exact_->nodes(); }
  Index dim() const override { return exact_->dim(); }
  void start(NodeId i, VectorView<double> x) const override { exact_->start(i, x); }
  void gradient(NodeId i, const ConstVectorView<double>& x, const Draw& draw,
                VectorView<double> g) const override;
  void full_gradient(NodeId i, const ConstVectorView<double>& x, const Draw& draw,
                     VectorView<double> g) const override {
    exact_->full_gradient(i, x, draw, g);
  }
  double loss(NodeId i, const ConstVectorView<double>& x) const override {
    return exact_->loss(i, x);
  }
  double suboptimality(NodeId i, const ConstVectorView<double>& x,
                       const Optimum& best) const override {
    return exact_->suboptimality(i, x, best);
  }
  const Optimum* optimum() const override { return exact_->optimum(); }

 private:
  bool noisy_;
  std::unique_ptr<Problem<double>> exact_;
};

}  // namespace driftless::testing
