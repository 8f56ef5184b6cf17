#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "driftless/algorithm/algorithm.hpp"

namespace driftless {

template <class Real>
using AlgorithmMaker = std::unique_ptr<Algorithm<Real>> (*)(const Problem<Real>&, Network&,
                                                            const AlgorithmOptions&);

// A method by its config name, what it costs, and which options it has. An option that a method
// does not have is refused by the config, never ignored.
struct AlgorithmKind {
  std::string_view name;
  std::string_view summary;
  int vectors_an_edge = 0;   // sent to each neighbour a round
  int vectors_a_server = 0;  // sent by each node to the server in a global round, and as many back
  bool local_steps = true;   // takes K > 1
  bool communication_rate = true;
  bool initial_correction = false;
  bool global_every = false;
  bool lazy = false;
  AlgorithmMaker<float> make_float = nullptr;
  AlgorithmMaker<double> make_double = nullptr;
};

std::span<const AlgorithmKind> algorithm_kinds();

// Null when there is no such method.
const AlgorithmKind* find_algorithm_kind(std::string_view name);

// Throws ConfigError for an unknown name or an option that the method cannot take.
template <class Real>
std::unique_ptr<Algorithm<Real>> make_algorithm(std::string_view name, const Problem<Real>& problem,
                                                Network& network, const AlgorithmOptions& options);

}  // namespace driftless
