#include "driftless/algorithm/registry.hpp"

#include <algorithm>

#include "driftless/algorithm/d2.hpp"
#include "driftless/algorithm/d_sgd.hpp"
#include "driftless/algorithm/exact_diffusion.hpp"
#include "driftless/algorithm/fedavg.hpp"
#include "driftless/algorithm/gossip_pga.hpp"
#include "driftless/algorithm/gt.hpp"
#include "driftless/algorithm/k_gt.hpp"
#include "driftless/algorithm/large_batch_d_sgd.hpp"
#include "driftless/algorithm/large_batch_gt.hpp"
#include "driftless/algorithm/led.hpp"
#include "driftless/algorithm/periodical_gt.hpp"
#include "driftless/algorithm/periodical_gt_full.hpp"
#include "driftless/algorithm/scaffold.hpp"
#include "driftless/base/named.hpp"

namespace driftless {
namespace {

std::vector<AlgorithmKind> tracking_and_d_sgd() {
  return {
      algorithm_kind<KGt>({.name = "k-gt",
                           .title = "K-GT",
                           .summary = "K corrected local steps, tracks the sum of their gradients",
                           .vectors_an_edge = 2}),
      algorithm_kind<DSgd>({.name = "d-sgd",
                            .title = "D-SGD",
                            .summary = "K local steps, then the average over the neighbours",
                            .vectors_an_edge = 1}),
      algorithm_kind<Gt>({.name = "gt",
                          .title = "GT",
                          .summary = "gradient tracking, one step a round",
                          .vectors_an_edge = 2,
                          .local_steps = false}),
      algorithm_kind<PeriodicalGt>({.name = "periodical-gt",
                                    .title = "Periodical GT",
                                    .summary = "gradient tracking that talks every K steps",
                                    .vectors_an_edge = 2}),
      algorithm_kind<PeriodicalGtFull>(
          {.name = "periodical-gt-full",
           .title = "Periodical GT (full)",
           .summary = "the same, but the last step of K takes the full gradient",
           .vectors_an_edge = 2}),
      algorithm_kind<LargeBatchGt>(
          {.name = "large-batch-gt",
           .title = "Large-batch GT",
           .summary = "gradient tracking on the sum of K samples at one point",
           .vectors_an_edge = 2}),
      algorithm_kind<LargeBatchDSgd>({.name = "large-batch-d-sgd",
                                      .title = "Large-batch D-SGD",
                                      .summary = "D-SGD on the sum of K samples at one point",
                                      .vectors_an_edge = 1}),
  };
}

std::vector<AlgorithmKind> other_methods() {
  return {
      algorithm_kind<Scaffold>({.name = "scaffold",
                                .title = "SCAFFOLD",
                                .summary = "corrected local steps, through a server (option II)",
                                .vectors_a_server = 2,
                                .one_start = true}),
      algorithm_kind<GossipPga>({.name = "gossip-pga",
                                 .title = "Gossip-PGA",
                                 .summary = "D-SGD with the exact average every H rounds",
                                 .vectors_an_edge = 1,
                                 .vectors_a_server = 1}),
      algorithm_kind<D2>({.name = "d2",
                          .title = "D²",
                          .summary = "corrects by two rounds' models and gradients",
                          .vectors_an_edge = 1,
                          .local_steps = false}),
      algorithm_kind<FedAvg>(
          {.name = "fedavg",
           .title = "FedAvg",
           .summary = "K local steps, then the exact average, by a server (local SGD)",
           .vectors_a_server = 1}),
      algorithm_kind<ExactDiffusion>({.name = "exact-diffusion",
                                      .title = "Exact Diffusion",
                                      .summary = "adapt, correct, combine with (I + W)/2",
                                      .vectors_an_edge = 1,
                                      .local_steps = false}),
      algorithm_kind<Led>({.name = "led",
                           .title = "LED",
                           .summary = "Exact Diffusion with K local steps",
                           .vectors_an_edge = 1,
                           .communication_rate = false}),
  };
}

// A figure's colours follow this order: a new method of ours comes last.
std::deque<AlgorithmKind> our_own() {
  std::deque<AlgorithmKind> kinds;
  for (AlgorithmKind& kind : tracking_and_d_sgd()) kinds.push_back(std::move(kind));
  for (AlgorithmKind& kind : other_methods()) kinds.push_back(std::move(kind));
  return kinds;
}

std::deque<AlgorithmKind>& all_kinds() {
  static std::deque<AlgorithmKind> kinds = our_own();
  return kinds;
}

std::size_t registrations = 0;

void check_new_kind(const AlgorithmKind& kind) {
  if (kind.name.empty()) throw ConfigError("a method needs a name to be registered by");
  for (const Option& common : options_of<AlgorithmOptions>().list()) {
    if (!kind.has(common.name)) continue;
    throw ConfigError("{}: all methods have an option {}; choose another name", kind.name,
                      common.name);
  }
  for (const AlgorithmKind& other : all_kinds()) {
    if (other.name != kind.name) check_described_alike(kind.name, kind.own, other.name, other.own);
  }
}

}  // namespace

bool AlgorithmKind::has(std::string_view own_option) const {
  return find_or_null(own, own_option) != nullptr;
}

std::vector<Option> AlgorithmKind::all_options() const {
  std::vector<Option> all = options_of<AlgorithmOptions>().list();
  const auto not_taken = [](const Option& option) { return option.name == "communication_rate"; };
  if (!communication_rate) std::erase_if(all, not_taken);
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

const std::deque<AlgorithmKind>& algorithm_kinds() { return all_kinds(); }

void register_algorithm(AlgorithmKind kind) {
  if (find_algorithm_kind(kind.name)) {
    throw ConfigError("there is an algorithm \"{}\" already", kind.name);
  }
  replace_algorithm(std::move(kind));
}

void replace_algorithm(AlgorithmKind kind) {
  check_new_kind(kind);
  if (kind.title.empty()) kind.title = kind.name;
  const auto known = std::ranges::find(all_kinds(), kind.name, &AlgorithmKind::name);
  if (known == all_kinds().end()) {
    all_kinds().push_back(std::move(kind));
  } else if (static_cast<std::size_t>(known - all_kinds().begin()) < our_own().size()) {
    throw ConfigError("{} is a method of ours; choose another name", kind.name);
  } else {
    *known = std::move(kind);
  }
  ++registrations;
}

std::size_t algorithm_registrations() { return registrations; }

const AlgorithmKind* find_algorithm_kind(std::string_view name) {
  return find_or_null(all_kinds(), name);
}

template <class Real>
std::unique_ptr<Algorithm<Real>> make_algorithm(std::string_view name, const Problem<Real>& problem,
                                                Network& network, const AlgorithmOptions& options) {
  const AlgorithmKind* kind = find_algorithm_kind(name);
  if (kind == nullptr) {
    throw ConfigError("there is no algorithm \"{}\"{}", name,
                      suggestion(name, names_of(algorithm_kinds())));
  }
  if (!kind->local_steps && options.local_steps != 1) {
    throw ConfigError("{} takes one step a round, not {}", name, options.local_steps);
  }
  for (const auto& [option, value] : options.own) {
    if (!kind->has(option)) throw_unknown_option(option, kind->own);
  }
  if (problem.nodes() != network.nodes()) {
    throw ConfigError("the problem has {} nodes, but the network {}", problem.nodes(),
                      network.nodes());
  }
  const auto& make = std::get<AlgorithmMaker<Real>>(kind->make);
  if (!make) {
    throw ConfigError("{} does not compute in {}, as this problem does", name,
                      sizeof(Real) == sizeof(float) ? "float" : "double");
  }
  return make(problem, network, options);
}

template decltype(make_algorithm<float>) make_algorithm<float>;
template decltype(make_algorithm<double>) make_algorithm<double>;

}  // namespace driftless
