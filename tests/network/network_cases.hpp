#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "driftless/base/random.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/weights.hpp"
#include "driftless/network/network.hpp"

// Networks and numbers for the contracts of network_contract.hpp, conditions_contract.hpp and
// evaluation_contract.hpp. A runtime joins with a type that has `Real` and `static
// std::unique_ptr<Network> make(given)` of a MixingMatrix and of Conditions, and with
// INSTANTIATE_TYPED_TEST_SUITE_P(Its, NetworkContract, ...) and the same for the others. Tests look
// only at hosted nodes, so each process of a distributed runtime checks its own; a process that
// hosts no node gets no network.
namespace driftless::testing {

template <class Runtime>
class NetworkCases : public ::testing::Test {
 public:
  using Number = typename Runtime::Real;
  using Dense = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;

  // Rounding of a weighted sum of numbers of order one.
  static constexpr double tolerance = std::is_same_v<Number, float> ? 1e-5 : 1e-13;

  struct Shape {
    std::string family;
    NodeId nodes;
    Index dim;
  };
  static std::vector<Shape> shapes() {
    return {{"ring", 1, 3},
            {"ring", 2, 1},
            {"ring", 3, 7},
            {"ring", 10, 100},
            {"ring", 5, 5000},
            {"path", 9, 33},
            {"star", 8, 64},
            {"star", 17, 5},
            {"complete", 6, 31},
            {"complete", 2, 16},
            {"torus", 16, 12},
            {"torus", 9, 2},
            {"hypercube", 8, 9},
            {"barbell", 11, 8},
            {"erdos_renyi", 13, 65},
            {"erdos_renyi", 17, 17},
            {"random_regular", 12, 40},
            {"random_geometric", 15, 23},
            {"exponential", 14, 3}};
  }

  static MixingMatrix mixing(const Shape& shape) {
    return make_mixing(make_graph({.family = shape.family, .nodes = shape.nodes, .seed = 5}),
                       Weights::metropolis);
  }
  static std::unique_ptr<Network> make(const Shape& shape) { return Runtime::make(mixing(shape)); }

  // All nodes' numbers, the same in every process.
  static Dense numbers(const Shape& shape, std::uint64_t seed) {
    Dense values(shape.nodes, shape.dim);
    Vector<Number> row(shape.dim);
    for (NodeId i = 0; i < shape.nodes; ++i) {
      fill_normals(row.data(), row.size(), 1.0, Draw{.seed = seed, .node = i},
                   Purpose::problem_data);
      values.row(i) = row.transpose();
    }
    return values;
  }
  static Rows<Number> hosted_rows(const Network& network, const Dense& values) {
    Rows<Number> rows(network.hosted(), values.cols());
    for (NodeId i = network.hosted().first; i < network.hosted().last; ++i) {
      rows[i] = values.row(i).transpose();
    }
    return rows;
  }
  static double error(const Rows<Number>& rows, const Eigen::MatrixXd& expected) {
    double largest = 0;
    for (NodeId i = rows.hosted().first; i < rows.hosted().last; ++i) {
      const Vector<double> row = rows[i].template cast<double>();
      largest =
          std::max(largest, (row.transpose() - expected.row(i)).template lpNorm<Eigen::Infinity>());
    }
    return largest;
  }
};

}  // namespace driftless::testing
