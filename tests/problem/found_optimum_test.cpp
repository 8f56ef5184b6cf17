#include "driftless/problem/found_optimum.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "driftless/base/error.hpp"
#include "driftless/problem/data_problem.hpp"
#include "driftless/problem/nn/linear.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless::testing {
namespace {

constexpr Index width = 4;
constexpr double ridge = 0.05;

std::shared_ptr<const LabelledData> table_of_numbers(SampleId samples) {
  auto data = std::make_shared<LabelledData>();
  data->train.features = width;
  DenseRows rows;
  for (SampleId s = 0; s < samples; ++s) {
    double target = 2;
    for (Index k = 0; k < width; ++k) {
      const double value = std::sin(1.7 * s + 2.3 * static_cast<double>(k * k));
      rows.values.push_back(value);
      target += (static_cast<double>(k) - 1.5) * value;
    }
    data->train.targets.push_back(target + 0.1 * std::cos(5.0 * s));
  }
  data->train.inputs = std::move(rows);
  return data;
}

class FoundOptimum : public ::testing::Test {
 protected:
  // Two nodes, of 6 and 14 samples.
  DataProblem<double> problem() const {
    Partition partition(2);
    for (SampleId s = 0; s < 20; ++s) partition[s < 6 ? 0 : 1].push_back(s);
    const auto data = table_of_numbers(20);
    return {data,
            std::make_shared<Linear<double>>(data->train, true),
            partition,
            Batches(4, Sampling::shuffle, 1),
            {.l2 = ridge}};
  }
  std::shared_ptr<const Optimum> found(std::uint64_t content) const {
    return found_optimum(problem(), ridge, content, {0, 2}, Processes(), {});
  }

  const TemporaryFolder cache_;
  const EnvironmentVariable variable_{"DRIFTLESS_DATA", cache_.path().string()};
};

// f = (1/2) Σ_i mean (a·w + b − y)² + l2/2 |x|²: the normal equations with rows weighted by nodes.
TEST_F(FoundOptimum, SolvesTheNormalEquationsOfRidgeRegression) {
  const auto data = table_of_numbers(20);
  Eigen::MatrixXd gram = ridge / 2 * Eigen::MatrixXd::Identity(width + 1, width + 1);
  Eigen::VectorXd rhs = Eigen::VectorXd::Zero(width + 1);
  for (SampleId s = 0; s < 20; ++s) {
    Eigen::VectorXd row = Eigen::VectorXd::Ones(width + 1);
    read_sample(data->train, s, row.data());
    const double weight = 0.5 / (s < 6 ? 6 : 14);
    gram += weight * row * row.transpose();
    rhs += weight * data->train.targets[static_cast<std::size_t>(s)] * row;
  }
  const Eigen::VectorXd expected = gram.ldlt().solve(rhs);
  const auto optimum = found(1);
  EXPECT_LT((optimum->point - expected).norm(), 1e-9);
  EXPECT_NEAR(optimum->value,
              (problem().loss(0, optimum->point) + problem().loss(1, optimum->point)) / 2, 1e-14);
}

TEST_F(FoundOptimum, IsKeptByItsContent) {
  const auto first = found(7);
  const auto file = cache_ / "optima/0000000000000007.json";
  ASSERT_TRUE(std::filesystem::exists(file));
  EXPECT_EQ(found(7)->point, first->point);
  EXPECT_EQ(found(7)->value, first->value);
  cache_.write("optima/0000000000000007.json", R"({"value": 42, "point": [0, 0, 0, 0, 0]})");
  EXPECT_EQ(found(7)->value, 42) << "the file is what is read";
  EXPECT_NE(found(8)->value, 42);
}

TEST_F(FoundOptimum, RefusesAFileThatIsDamaged) {
  cache_.write("optima/0000000000000007.json", "{");
  EXPECT_THROW(found(7), InputError);
  cache_.write("optima/0000000000000007.json", R"({"value": 1, "point": [0, 0]})");
  EXPECT_THROW(found(7), InputError);
}

TEST_F(FoundOptimum, MakesTheSuboptimalityPositiveAndZeroAtTheOptimum) {
  const auto optimum = found(1);
  auto data = table_of_numbers(20);
  Partition partition(2);
  for (SampleId s = 0; s < 20; ++s) partition[s < 6 ? 0 : 1].push_back(s);
  const DataProblem<double> with(data, std::make_shared<Linear<double>>(data->train, true),
                                 partition, Batches(4, Sampling::shuffle, 1),
                                 {.l2 = ridge, .optimum = optimum});
  const auto gap = [&](const Vector<double>& x) {
    return (with.suboptimality(0, x, *with.optimum()) + with.suboptimality(1, x, *with.optimum())) /
           2;
  };
  EXPECT_NEAR(gap(optimum->point), 0, 1e-14);
  EXPECT_GT(gap(Vector<double>::Zero(width + 1)), 0.1);
}

}  // namespace
}  // namespace driftless::testing
