#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "driftless/base/error.hpp"
#include "driftless/problem/least_squares.hpp"

namespace driftless::testing {
namespace {

class LeastSquaresFile : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  LeastSquaresData read(const std::string& text) const {
    std::ofstream(path_, std::ios::binary) << text;
    return read_least_squares(path_);
  }

  // The message of the fault, without the file's name in front; "" if there is none.
  std::string fault(const std::string& text) const {
    try {
      read(text);
    } catch (const DataError& error) {
      const std::string message = error.what();
      const std::string front = path_.string() + ": ";
      EXPECT_EQ(message.substr(0, front.size()), front) << "the file is not named";
      return message.substr(std::min(front.size(), message.size()));
    }
    return "";
  }

  const std::filesystem::path path_ =
      std::filesystem::path(::testing::TempDir()) /
      ("least_squares_" +
       std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) + ".json");
};

TEST_F(LeastSquaresFile, ReadsMatricesOfAnyShape) {
  const LeastSquaresData data = read(
      R"({"A": [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [0, -1, 1e-3]]], "b": [[1, 2], [3, 4.5]]})");
  ASSERT_EQ(data.A.size(), 2U);
  EXPECT_EQ(data.A[0], (LeastSquaresData::Matrix{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(data.A[1], (LeastSquaresData::Matrix{{7, 8, 9}, {0, -1, 1e-3}}));
  EXPECT_EQ(data.b[1], Eigen::Vector2d(3, 4.5));
  EXPECT_TRUE(data.x0.empty());
}

// Summed over the nodes, AᵀA is [[1 + 2, 0], [0, 6]] and Aᵀb is (4 + 2, 6), so x* is (2, 1). The
// residuals there are -2 at the first node and 0, -2, 1 at the second.
TEST_F(LeastSquaresFile, HasTheOptimumOfTheNormalEquationsForNodesOfDifferentRows) {
  LeastSquaresData data =
      read(R"({"A": [[[1, 0]], [[1, 1], [-1, 1], [0, 2]]], "b": [[4], [3, 1, 1]]})");
  solve(data);
  EXPECT_TRUE(data.optimum->point.isApprox(Eigen::Vector2d(2, 1), 1e-14)) << data.optimum->point;
  EXPECT_NEAR(data.optimum->value, (0.5 * 4 + 0.5 * 5) / 2, 1e-14);
  EXPECT_NEAR(*data.smoothness, 6, 1e-14);
  const auto problem = make_least_squares<double>(data, 0);
  const Vector<double> x = Eigen::Vector2d(1, 0);
  EXPECT_DOUBLE_EQ(problem->loss(0, x), 0.5 * 9);
  EXPECT_DOUBLE_EQ(problem->loss(1, x), 0.5 * (4 + 4 + 1));
}

TEST_F(LeastSquaresFile, ReadsOneStartOrOneForEachNode) {
  const std::string problem = R"({"A": [[[1, 2]], [[3, 4]]], "b": [[1], [2]], "x0": )";
  EXPECT_EQ(read(problem + "[5, 6]}").x0, (std::vector<Vector<double>>{Eigen::Vector2d(5, 6)}));
  EXPECT_EQ(read(problem + "[[5, 6], [7, 8]]}").x0,
            (std::vector<Vector<double>>{Eigen::Vector2d(5, 6), Eigen::Vector2d(7, 8)}));
}

TEST_F(LeastSquaresFile, NamesTheFileThatIsNotThere) {
  try {
    read_least_squares("nowhere/problem.json");
    FAIL() << "was read";
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(), "nowhere/problem.json: cannot be read: No such file or directory");
  }
}

TEST_F(LeastSquaresFile, IsReadToItsEnd) {
  const std::string problem = R"({"A": [[[1]]], "b": [[1]]})";
  EXPECT_EQ(fault(problem + std::string("\0 more", 6)), "not valid JSON: byte 26 is zero");
}

TEST_F(LeastSquaresFile, NamesThePlaceOfEveryFault) {
  struct Case {
    const char* text;
    const char* place;  // how the message begins
  };
  const Case cases[] = {
      {"", "is empty"},
      {R"({"A": [[[1, 2]], )", "not valid JSON"},
      {R"({"A": [[[NaN]]], "b": [[1]]})", "not valid JSON"},
      {R"({"A": [[[1e999]]], "b": [[1]]})", "not valid JSON"},
      {R"({"A": [[[1]]], "b": [[1]]} more)", "not valid JSON"},
      {R"({"A": [[[1]]], "b": [[1]], "A": [[[2]]]})", "the key \"A\" is given twice"},
      {R"([1, 2])", "top level: expected an object"},
      {R"({"b": [[1]]})", "\"A\": is missing"},
      {R"({"A": [[[1]]]})", "\"b\": is missing"},
      {R"({"A": [[[1]]], "b": [[1]], "c": 3})", "\"c\": unknown key"},
      {R"({"A": 3, "b": [[1]]})", "A: expected an array, found number"},
      {R"({"A": [], "b": [[1]]})", "A: the array is empty"},
      {R"({"A": [[]], "b": [[1]]})", "A[0]: the array is empty"},
      {R"({"A": [[[]]], "b": [[1]]})", "A[0][0]: the array is empty"},
      {R"({"A": [[1]], "b": [[1]]})", "A[0][0]: expected an array, found number"},
      {R"({"A": [[["1"]]], "b": [[1]]})", "A[0][0][0]: expected a number, found string"},
      {R"({"A": [[[1, null]]], "b": [[1]]})", "A[0][0][1]: expected a number, found null"},
      {R"({"A": [[[1, 2], [3]]], "b": [[1, 2]]})", "A[0][1]: has 1 numbers, expected 2"},
      {R"({"A": [[[1, 2]], [[3, 4], [5, 6]]], "b": [[1], [2]]})",
       "b[1]: has 1 numbers, expected 2"},
      {R"({"A": [[[1, 2]], [[3, 4], [5]]], "b": [[1], [2, 3]]})",
       "A[1][1]: has 1 numbers, expected 2"},
      {R"({"A": [[[1, 2]], []], "b": [[1], []]})", "A[1]: the array is empty"},
      {R"({"A": [[[1]], {"x": 1}], "b": [[1], [2]]})", "A[1]: expected an array, found object"},
      {R"({"A": [[[1]]], "b": [[1], [2]]})", "b: has 2 nodes, but A has 1"},
      {R"({"A": [[[1]]], "b": [[1, 2]]})", "b[0]: has 2 numbers, expected 1"},
      {R"({"A": [[[1]]], "b": [1]})", "b[0]: expected an array, found number"},
      {R"({"A": [[[1]]], "b": [[true]]})", "b[0][0]: expected a number, found boolean"},
      {R"({"A": [[[1]]], "b": [[1]], "x0": [1, 2]})", "x0: has 2 numbers, expected 1"},
      {R"({"A": [[[1]]], "b": [[1]], "x0": []})", "x0: the array is empty"},
      {R"({"A": [[[1]]], "b": [[1]], "x0": 1})", "x0: expected an array, found number"},
      {R"({"A": [[[1]]], "b": [[1]], "x0": [[1], [2]]})", "x0: has 2 starts, expected 1"},
      {R"({"A": [[[1]], [[1]]], "b": [[1], [2]], "x0": [[1], [1, 2]]})",
       "x0[1]: has 2 numbers, expected 1"},
      {R"({"A": [[[1]], [[1]]], "b": [[1], [2]], "x0": [[1], 2]})",
       "x0[1]: expected an array, found number"},
  };
  for (const auto& [text, place] : cases) {
    const std::string found = fault(text);
    EXPECT_EQ(found.substr(0, std::string(place).size()), place) << text;
  }
}

}  // namespace
}  // namespace driftless::testing
