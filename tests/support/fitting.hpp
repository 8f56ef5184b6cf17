#pragma once

#include <memory>
#include <string_view>

#include "driftless/algorithm/registry.hpp"

namespace driftless::testing {

// The method with those of the options that it has: tests that walk over all methods give each the
// same.
template <class Real>
std::unique_ptr<Algorithm<Real>> make_fitting(std::string_view kind, const Problem<Real>& problem,
                                              Network& network, AlgorithmOptions options) {
  const AlgorithmKind* found = find_algorithm_kind(kind);
  std::erase_if(options.own, [&](const auto& each) { return !found->has(each.first); });
  return make_algorithm(kind, problem, network, options);
}

}  // namespace driftless::testing
