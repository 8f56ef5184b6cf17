#include "driftless/experiment/diagnosis.hpp"

#include <gtest/gtest.h>

#include "tests/support/trial.hpp"

namespace driftless::testing {
namespace {

// f_i(x) = ½ h ‖x − b_i‖² with the noise of its gradients. It does not know L: the diagnosis has to
// find h by itself.
class Bowl final : public Problem<double> {
 public:
  Bowl(double curvature, double apart, double noise)
      : h_(curvature), apart_(apart), noise_(noise) {}

  NodeId nodes() const override { return 4; }
  Index dim() const override { return 3; }
  void gradient(NodeId i, const ConstVectorView<double>& x, const Draw& draw,
                VectorView<double> g) const override {
    full_gradient(i, x, draw, g);
    g[0] += draw.step % 2 == 0 ? noise_ : -noise_;
  }
  void full_gradient(NodeId i, const ConstVectorView<double>& x, const Draw&,
                     VectorView<double> g) const override {
    g = h_ * x;
    g[1] += i % 2 == 0 ? apart_ : -apart_;
  }
  double loss(NodeId, const ConstVectorView<double>& x) const override {
    return 0.5 * h_ * x.squaredNorm();
  }

 private:
  double h_, apart_, noise_;
};

std::string diagnosis(const Bowl& problem, const AlgorithmOptions& options, double loss = 7e9) {
  const Instance ring{.nodes = 4};
  Trial trial("k-gt", problem, ring.mixing(), options);
  trial.algorithm().state()[0].rows->operator[](2).setConstant(1e3);
  return diagnose<double>(trial.algorithm(), problem, trial.network(), {.round = 12, .loss = loss},
                          1e6);
}

void expect_words(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    EXPECT_NE(text.find(word), std::string::npos) << "\"" << word << "\" is not in: " << text;
  }
}

TEST(Diagnosis, TellsTheRoundTheLossAndTheLargestNode) {
  expect_words(diagnosis(Bowl(10, 1, 0), {.local_rate = 1}),
               {"diverged by round 12: ", "the loss is 7e+09, above 1e+06", "node 2"});
  expect_words(diagnosis(Bowl(10, 1, 0), {.local_rate = 1}, NAN), {"the loss is not finite"});
}

TEST(Diagnosis, FindsTheCurvatureThatTheProblemDoesNotTell) {
  expect_words(diagnosis(Bowl(10, 1, 0), {.local_rate = 0.21}),
               {"local_rate = 0.21 is above 2/L ≈ 0.2"});
  expect_words(diagnosis(Bowl(10, 1, 0), {.local_rate = 0.19}), {"is below 2/L ≈ 0.2"});
}

TEST(Diagnosis, BlamesBothRatesTogether) {
  expect_words(diagnosis(Bowl(10, 1, 0), {.local_rate = 0.1, .communication_rate = 3}),
               {"local_rate × communication_rate = 0.3 is above 2/L ≈ 0.2"});
}

// The two samples of a node differ by 2·0.1 in one coordinate: σ² = 0.02, and ζ² = 2².
TEST(Diagnosis, BlamesTheDriftOfManyStepsOnDifferentData) {
  expect_words(
      diagnosis(Bowl(10, 2, 0.1), {.local_steps = 20, .local_rate = 0.1}),
      {"20 local steps reach K η L = 20", "drift", "ζ² ≈ 4", "σ² ≈ 0.02", "below 1/(K L) = 0.005"});
}

// Here by 2·5: σ² = 50.
TEST(Diagnosis, BlamesNoiseThatIsMoreThanTheNodesDiffer) {
  expect_words(diagnosis(Bowl(10, 2, 5), {.local_steps = 20, .local_rate = 0.1}),
               {"noise", "σ² ≈ 50", "larger batches"});
}

// 1 / 1e-320 is infinite.
TEST(Diagnosis, BlamesARateTooSmallToDivideBy) {
  expect_words(
      diagnosis(Bowl(10, 2, 0), {.local_rate = 1e-320}),
      {"local_rate = 1e-320 is too small to divide by: it is below 2.23e-308", "raise it"});
}

TEST(Diagnosis, BlamesMixingWhereNothingElseIsLeft) {
  expect_words(diagnosis(Bowl(10, 2, 0), {.local_rate = 0.1}), {"mixing", "lazy"});
}

}  // namespace
}  // namespace driftless::testing
