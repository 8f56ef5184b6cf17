#include "driftless/graph/lanczos.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

double largest_of_diagonal(const Vector<double>& diagonal) {
  return largest_eigenvalue(
      [&](const ConstVectorView<double>& x, VectorView<double> y) { y = diagonal.cwiseProduct(x); },
      diagonal.size(), 1e-7);
}

TEST(LargestEigenvalue, IsFoundAmongThoseOfAnInverse) {
  for (const Index n : {2, 3, 10, 1000}) {
    const Vector<double> ascending = Vector<double>::LinSpaced(n, 1, static_cast<double>(n));
    EXPECT_NEAR(largest_of_diagonal(3 * ascending.cwiseInverse()), 3, 1e-7) << n;
  }
}

TEST(LargestEigenvalue, IsFoundIfItComesTwice) {
  Vector<double> diagonal = Vector<double>::LinSpaced(500, 1, 500).cwiseInverse();
  diagonal[1] = 1;
  EXPECT_NEAR(largest_of_diagonal(diagonal), 1, 1e-7);
}

TEST(LargestEigenvalue, IsFoundAmongFewDistinctOnes) {
  Vector<double> diagonal = Vector<double>::Constant(300, 2.0);
  EXPECT_NEAR(largest_of_diagonal(diagonal), 2, 1e-7);
  diagonal.head(100).setConstant(5);
  EXPECT_NEAR(largest_of_diagonal(diagonal), 5, 1e-7);
  diagonal.tail(100).setConstant(0.5);
  EXPECT_NEAR(largest_of_diagonal(diagonal), 5, 1e-7);
}

// Where neighbours differ by 6e-5 of it, the restarts give up, and the plain recurrence gets as far
// as its steps go: nearer to the largest than to the next.
TEST(LargestEigenvalue, IsApproachedInACrowd) {
  const Vector<double> crowd = Vector<double>::LinSpaced(8000, 1, 2);
  EXPECT_NEAR(largest_of_diagonal(crowd), 2, 5e-5);
}

}  // namespace
}  // namespace driftless
