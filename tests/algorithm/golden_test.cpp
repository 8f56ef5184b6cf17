#include <gtest/gtest.h>

#include <map>

#include "driftless/algorithm/registry.hpp"
#include "driftless/network/local_network.hpp"
#include "tests/support/golden_algorithm.hpp"

namespace driftless::testing {
namespace {

// To 1e-10 of the largest entry.
void expect_close(const Rows<double>& rows, const Eigen::MatrixXd& expected, const char* what) {
  const double tolerance = 1e-10 * expected.cwiseAbs().maxCoeff();
  for (NodeId i = 0; i < expected.rows(); ++i) {
    for (Index k = 0; k < expected.cols(); ++k) {
      EXPECT_NEAR(rows[i][k], expected(i, k), tolerance)
          << what << ", node " << i << ", coordinate " << k;
    }
  }
}

// The appendix's line as it is printed, with x^{(t)+K−1} in front: what Periodical GT with full
// gradients must not do. Kept so that the golden cases of the misprint have a reader.
class PrintedPeriodicalGtFull final : public Algorithm<double> {
 public:
  using Algorithm<double>::Algorithm;

  void round(Round t) override {
    const Step K = options_.local_steps;
    const double eta_c = options_.local_rate;
    for (NodeId i = 0; i < network_.nodes(); ++i) {
      Vector<double> y = x_[i];
      Vector<double> g(dim());
      for (Step k = 0; k < K - 1; ++k) {
        problem_.gradient(i, y, draw(i, t, k), g);
        y -= eta_c * (g + c_[i]);
      }
      problem_.full_gradient(i, y, draw(i, t, K - 1), g);
      const Vector<double> last = y - eta_c * (g + c_[i]);
      x_[i] = y - options_.communication_rate * (x_[i] - last);
      c_[i] += g;
      g_[i] = g;
    }
    network_.mix({&x_, &c_});
    for (NodeId i = 0; i < network_.nodes(); ++i) c_[i] -= g_[i];
  }

 private:
  void begin() override {
    c_ = zero_rows();
    g_ = zero_rows();
    if (std::get<std::string>(options_.own.at("initial_correction")) == "zero") return;
    for (NodeId i = 0; i < network_.nodes(); ++i) {
      problem_.gradient(i, x_[i], draw(i, 0, 0), c_[i]);
      g_[i] = c_[i];
    }
    network_.average({&g_});
    for (NodeId i = 0; i < network_.nodes(); ++i) c_[i] = g_[i] - c_[i];
  }

  Rows<double> c_, g_;
};

class GoldenTrajectory : public ::testing::TestWithParam<std::size_t> {};

TEST_P(GoldenTrajectory, IsFollowed) {
  const GoldenCase& c = golden().cases[GetParam()];
  const GoldenProblem problem(c);
  LocalNetwork network(golden().mixing(c));
  std::unique_ptr<Algorithm<double>> algorithm;
  if (c.algorithm == "pgt_full_printed") {
    algorithm = std::make_unique<PrintedPeriodicalGtFull>(problem, network, golden_options(c));
  } else {
    algorithm = make_golden_algorithm(c, problem, network);
  }
  algorithm->start(starting_models(problem, network));
  expect_close(algorithm->models(), c.X[0], "start");
  for (Round t = 0; t < c.rounds; ++t) {
    algorithm->round(t);
    expect_close(algorithm->models(), c.X[static_cast<std::size_t>(t + 1)], "model");
    ASSERT_FALSE(HasFailure()) << c.name << " leaves the golden path in round " << t;
  }

  const std::map<std::string_view, std::string> golden_state{
      {"c", "C"}, {"z", "Z"}, {"g", "G"}, {"c_i", "ci"}, {"y", "Y"}};
  for (const auto& [state, rows] : algorithm->state()) {
    const auto key = golden_state.find(state);
    if (key == golden_state.end() || (c.algorithm == "scaffold" && state == "c")) continue;
    if (const auto known = c.final_rows.find(key->second); known != c.final_rows.end()) {
      expect_close(*rows, known->second, key->second.c_str());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenTrajectory,
                         ::testing::Range<std::size_t>(0, golden().cases.size()),
                         [](const auto& tested) {
                           std::string name = golden().cases[tested.param].name;
                           for (char& letter : name) {
                             if (std::isalnum(static_cast<unsigned char>(letter)) == 0)
                               letter = '_';
                           }
                           return name;
                         });

TEST(GoldenFile, HasEveryMethodOfTheRegistry) {
  for (const AlgorithmKind& kind : algorithm_kinds()) {
    EXPECT_TRUE(std::ranges::any_of(golden().cases, [&](const GoldenCase& c) {
      return c.kind == kind.name;
    })) << kind.name;
  }
}

}  // namespace
}  // namespace driftless::testing
