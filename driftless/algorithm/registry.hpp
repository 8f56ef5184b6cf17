#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "driftless/algorithm/algorithm.hpp"
#include "driftless/graph/spectrum.hpp"

namespace driftless {

template <class Real>
using AlgorithmMaker = std::function<std::unique_ptr<Algorithm<Real>>(
    const Problem<Real>&, Network&, const AlgorithmOptions&)>;

// A method by its config name, what it costs, and which options it has. An option that a method
// does not have is refused by the config, never ignored.
struct AlgorithmKind {
  std::string name;
  std::string title = {};  // as papers write it; that of a kind registered without one is its name
  std::string summary = {};
  int vectors_an_edge = 0;   // sent to each neighbour a round
  int vectors_a_server = 0;  // sent by each node to the server in a global round, and as many back
  bool local_steps = true;   // takes K > 1
  bool communication_rate = true;
  bool one_start = false;  // all nodes must start from the same model
  // Sums up what letters leave out: it bears only codecs that keep most of every number.
  bool faithful_letters = false;
  std::vector<Option> own = {};  // options beyond those of AlgorithmOptions
  // What a user should know before such a run; empty: nothing.
  std::function<std::string(const AlgorithmKind&, const Spectrum&, const AlgorithmOptions&)>
      warning = {};
  // One may be empty: then the method runs on problems of the other kind of numbers alone.
  std::tuple<AlgorithmMaker<float>, AlgorithmMaker<double>> make = {};

  bool has(std::string_view own_option) const;
  std::vector<Option> all_options() const;  // of AlgorithmOptions, as far as it takes them, and own
};

// Fills in what follows from the class: how to make it, whether it says that it needs faithful
// letters and, where it names an options struct `Own`, its own options and their warning.
template <template <class> class Method>
AlgorithmKind algorithm_kind(AlgorithmKind kind) {
  const auto make = []<class Real>(const Problem<Real>& problem, Network& network,
                                   const AlgorithmOptions& options) {
    return std::make_unique<Method<Real>>(problem, network, options);
  };
  kind.make = {make, make};
  if constexpr (requires { typename Method<double>::Own; }) {
    using Own = typename Method<double>::Own;
    kind.own = options_of<Own>().list();
    if constexpr (requires { &Own::warning; }) kind.warning = &Own::warning;
  }
  if constexpr (requires { Method<double>::faithful_letters; }) {
    kind.faithful_letters = Method<double>::faithful_letters;
  }
  return kind;
}

// Our own methods, and those that were registered. References to them stay good.
const std::deque<AlgorithmKind>& algorithm_kinds();

// Adds a method: config files, `driftless list`, sweeps and resuming know it from then on. Throws
// ConfigError where the name is taken, or where another method has an option of the same name that
// is described otherwise. To be called while nothing runs.
void register_algorithm(AlgorithmKind kind);
// The same, in place of a registered method of that name, if there is one: who works interactively
// writes a method again and again.
void replace_algorithm(AlgorithmKind kind);
// How often a kind was registered or replaced: who keeps what follows from the kinds asks for it.
std::size_t algorithm_registrations();

// Null when there is no such method.
const AlgorithmKind* find_algorithm_kind(std::string_view name);

// Throws ConfigError for an unknown name or an option that the method cannot take.
template <class Real>
std::unique_ptr<Algorithm<Real>> make_algorithm(std::string_view name, const Problem<Real>& problem,
                                                Network& network, const AlgorithmOptions& options);

}  // namespace driftless
