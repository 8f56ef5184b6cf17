#include "driftless/problem/nn/regulariser.hpp"

#include <gtest/gtest.h>

#include "tests/problem/nn/slopes.hpp"
#include "tests/problem/nn/tiny_data.hpp"

namespace driftless::testing {
namespace {

TEST(Regulariser, RidgeIsHalfTheSquaredNorm) {
  const Vector<double> x{{3, -4}};
  EXPECT_DOUBLE_EQ(ridge_value<double>(0.2, x), 2.5);
  Vector<double> g{{1, 1}};
  add_ridge_gradient<double>(0.5, x, g);
  EXPECT_EQ(g, (Vector<double>{{2.5, -1}}));
}

TEST(Regulariser, SaturatingSumsSquaresOverOnePlusSquares) {
  const Vector<double> x{{1, -3, 0.5}};
  EXPECT_DOUBLE_EQ(saturating_value<double>(2, x), 2 * (0.5 + 0.9 + 0.2));
  EXPECT_NEAR(saturating_value<float>(2, Vector<float>(x.cast<float>())), 3.2, 1e-7);
}

TEST(Regulariser, AddsTheSlopesOfItsValues) {
  const Vector<double> x = 3 * random_vector<double>(1, 9);
  Vector<double> g = Vector<double>::Ones(9);
  add_saturating_gradient<double>(0.3, x, g);
  const auto saturating = [](const Vector<double>& at) {
    return saturating_value<double>(0.3, at);
  };
  expect_close(g, slopes(saturating, x) + Vector<double>::Ones(9), 1e-9);

  g.setOnes();
  add_ridge_gradient<double>(0.3, x, g);
  const auto ridge = [](const Vector<double>& at) { return ridge_value<double>(0.3, at); };
  expect_close(g, slopes(ridge, x) + Vector<double>::Ones(9), 1e-9);
}

TEST(Regulariser, SaturatesHoweverFarAway) {
  const Vector<double> x{{1e200, -1e200}};
  EXPECT_DOUBLE_EQ(saturating_value<double>(2, x), 4);
  Vector<double> g = Vector<double>::Zero(2);
  add_saturating_gradient<double>(2, x, g);
  EXPECT_EQ(g, Vector<double>::Zero(2));
}

}  // namespace
}  // namespace driftless::testing
