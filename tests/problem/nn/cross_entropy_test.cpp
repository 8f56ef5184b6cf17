#include "driftless/problem/nn/cross_entropy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/problem/nn/slopes.hpp"
#include "tests/problem/nn/tiny_data.hpp"

namespace driftless::testing {
namespace {

using Labels = std::vector<std::int32_t>;

template <class Real>
class CrossEntropy : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(CrossEntropy, Reals);

TYPED_TEST(CrossEntropy, IsMinusTheLogarithmOfTheSoftmaxAtTheLabel) {
  const Labels labels{2, 0, 1, 2, 2};
  const std::vector<TypeParam> logits = random_values<TypeParam>(1, 15);
  double expected = 0;
  for (int b = 0; b < 5; ++b) {
    double sum = 0;
    for (int c = 0; c < 3; ++c) sum += std::exp(static_cast<double>(logits[b * 3 + c]));
    expected -= std::log(std::exp(static_cast<double>(logits[b * 3 + labels[b]])) / sum);
  }
  const Score score = nn::cross_entropy_forward<TypeParam>(labels, 3, logits.data());
  EXPECT_NEAR(score.loss, expected, 1e-13);
}

TYPED_TEST(CrossEntropy, CountsTheFirstOfEqualLogits) {
  const std::vector<TypeParam> logits{1, 1, 0, 0, 2, 2, 5, 4, 3, 0, 0, 0};
  const auto correct = [&](const Labels& labels) {
    return nn::cross_entropy_forward<TypeParam>(labels, 3, logits.data()).correct;
  };
  EXPECT_EQ(correct({0, 1, 0, 0}), 4);
  EXPECT_EQ(correct({1, 2, 0, 2}), 1);
}

TYPED_TEST(CrossEntropy, HasAGradientThatMayOverwriteTheLogits) {
  const Labels labels{1, 0};
  std::vector<TypeParam> logits{1, 2, 3, 0, 0, -1};
  std::vector<TypeParam> gradient(6);
  nn::cross_entropy_backward<TypeParam>(labels, 3, 0.5, logits.data(), gradient.data());
  for (int b = 0; b < 2; ++b) {
    double sum = 0;
    for (int c = 0; c < 3; ++c) sum += std::exp(static_cast<double>(logits[b * 3 + c]));
    for (int c = 0; c < 3; ++c) {
      const double softmax = std::exp(static_cast<double>(logits[b * 3 + c])) / sum;
      const double expected = 0.5 * (softmax - (c == labels[b] ? 1 : 0));
      EXPECT_NEAR(gradient[b * 3 + c], expected, 1e-7);
    }
  }
  nn::cross_entropy_backward<TypeParam>(labels, 3, 0.5, logits.data(), logits.data());
  EXPECT_EQ(logits, gradient);
}

TYPED_TEST(CrossEntropy, BearsLogitsOfAThousand) {
  const std::vector<TypeParam> logits{1000, -1000, 0};
  std::vector<TypeParam> gradient(3);
  const auto at = [&](std::int32_t label) {
    const Labels labels{label};
    nn::cross_entropy_backward<TypeParam>(labels, 3, 1, logits.data(), gradient.data());
    return nn::cross_entropy_forward<TypeParam>(labels, 3, logits.data());
  };
  EXPECT_EQ(at(0).loss, 0);
  EXPECT_EQ(gradient, (std::vector<TypeParam>{0, 0, 0}));
  EXPECT_EQ(at(1).loss, 2000);
  EXPECT_EQ(gradient, (std::vector<TypeParam>{1, -1, 0}));
  EXPECT_EQ(at(2).loss, 1000);
  EXPECT_EQ(gradient, (std::vector<TypeParam>{1, 0, -1}));
}

TEST(CrossEntropySlopes, BackwardIsTheSlopeOfForward) {
  const Labels labels{4, 0, 2};
  const Vector<double> logits = 3 * random_vector<double>(7, 15);
  const auto f = [&](const Vector<double>& at) {
    return nn::cross_entropy_forward<double>(labels, 5, at.data()).loss / 3;
  };
  Vector<double> gradient(15);
  nn::cross_entropy_backward<double>(labels, 5, 1.0 / 3, logits.data(), gradient.data());
  expect_close(gradient, slopes(f, logits), 1e-9);
}

TEST(CrossEntropySlopes, OfWhatIsNotANumberIsNone) {
  const Labels labels{0};
  const std::vector<double> logits{0, std::nan("")};
  EXPECT_TRUE(std::isnan(nn::cross_entropy_forward<double>(labels, 2, logits.data()).loss));
}

}  // namespace
}  // namespace driftless::testing
