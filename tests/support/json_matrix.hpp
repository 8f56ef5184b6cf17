#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "driftless/base/types.hpp"

namespace driftless::testing {

inline Vector<double> to_vector(const nlohmann::json& values) {
  const auto numbers = values.get<std::vector<double>>();
  return Eigen::Map<const Vector<double>>(numbers.data(), static_cast<Index>(numbers.size()));
}

inline Eigen::MatrixXd to_matrix(const nlohmann::json& values) {
  Eigen::MatrixXd matrix(values.size(), values[0].size());
  for (std::size_t r = 0; r < values.size(); ++r) {
    matrix.row(static_cast<Index>(r)) = to_vector(values[r]);
  }
  return matrix;
}

}  // namespace driftless::testing
