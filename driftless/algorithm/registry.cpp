#include "driftless/algorithm/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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
#include "driftless/base/error.hpp"

namespace driftless {

namespace {

template <template <class> class Method, class Real>
std::unique_ptr<Algorithm<Real>> make(const Problem<Real>& problem, Network& network,
                                      const AlgorithmOptions& options) {
  return std::make_unique<Method<Real>>(problem, network, options);
}

template <template <class> class Method>
constexpr AlgorithmKind method(AlgorithmKind kind) {
  kind.make_float = &make<Method, float>;
  kind.make_double = &make<Method, double>;
  return kind;
}

constexpr std::array kinds{
    method<KGt>({.name = "k-gt",
                 .summary = "K-GT: K corrected local steps, tracks the sum of their gradients",
                 .vectors_an_edge = 2,
                 .initial_correction = true}),
    method<DSgd>({.name = "d-sgd",
                  .summary = "D-SGD: K local steps, then the average over the neighbours",
                  .vectors_an_edge = 1}),
    method<Gt>({.name = "gt",
                .summary = "gradient tracking, one step a round",
                .vectors_an_edge = 2,
                .local_steps = false,
                .initial_correction = true}),
    method<PeriodicalGt>({.name = "periodical-gt",
                          .summary = "gradient tracking that talks every K steps",
                          .vectors_an_edge = 2,
                          .initial_correction = true}),
    method<PeriodicalGtFull>(
        {.name = "periodical-gt-full",
         .summary = "Periodical GT whose last step of K takes the full gradient",
         .vectors_an_edge = 2,
         .initial_correction = true}),
    method<LargeBatchGt>({.name = "large-batch-gt",
                          .summary = "gradient tracking on the sum of K samples at one point",
                          .vectors_an_edge = 2,
                          .initial_correction = true}),
    method<LargeBatchDSgd>({.name = "large-batch-d-sgd",
                            .summary = "D-SGD on the sum of K samples at one point",
                            .vectors_an_edge = 1}),
    method<Scaffold>({.name = "scaffold",
                      .summary = "SCAFFOLD (option II): corrected local steps, through a server",
                      .vectors_a_server = 2,
                      .initial_correction = true}),
    method<GossipPga>({.name = "gossip-pga",
                       .summary = "D-SGD with the exact average every H rounds",
                       .vectors_an_edge = 1,
                       .vectors_a_server = 1,
                       .global_every = true}),
    method<D2>({.name = "d2",
                .summary = "D²: corrects by two rounds' models and gradients",
                .vectors_an_edge = 1,
                .local_steps = false,
                .lazy = true}),
    method<FedAvg>(
        {.name = "fedavg",
         .summary = "FedAvg (local SGD): K local steps, then the exact average, by a server",
         .vectors_a_server = 1}),
    method<ExactDiffusion>({.name = "exact-diffusion",
                            .summary = "Exact Diffusion: adapt, correct, combine with (I + W)/2",
                            .vectors_an_edge = 1,
                            .local_steps = false}),
    method<Led>({.name = "led",
                 .summary = "LED: Exact Diffusion with K local steps",
                 .vectors_an_edge = 1,
                 .communication_rate = false,
                 .lazy = true}),
};
}  // namespace

std::span<const AlgorithmKind> algorithm_kinds() { return kinds; }

const AlgorithmKind* find_algorithm_kind(std::string_view name) {
  const auto* const found = std::ranges::find(kinds, name, &AlgorithmKind::name);
  return found == kinds.end() ? nullptr : found;
}

template <class Real>
std::unique_ptr<Algorithm<Real>> make_algorithm(std::string_view name, const Problem<Real>& problem,
                                                Network& network, const AlgorithmOptions& options) {
  const AlgorithmKind* kind = find_algorithm_kind(name);
  if (kind == nullptr) throw ConfigError(fmt::format("there is no algorithm \"{}\"", name));
  if (!kind->local_steps && options.local_steps != 1) {
    throw ConfigError(fmt::format("{} takes one step a round, not {}", name, options.local_steps));
  }
  if (problem.nodes() != network.nodes()) {
    throw ConfigError(fmt::format("the problem has {} nodes, but the network {}", problem.nodes(),
                                  network.nodes()));
  }
  if constexpr (std::is_same_v<Real, float>) {
    return kind->make_float(problem, network, options);
  } else {
    return kind->make_double(problem, network, options);
  }
}

template std::unique_ptr<Algorithm<float>> make_algorithm(std::string_view, const Problem<float>&,
                                                          Network&, const AlgorithmOptions&);
template std::unique_ptr<Algorithm<double>> make_algorithm(std::string_view, const Problem<double>&,
                                                           Network&, const AlgorithmOptions&);

}  // namespace driftless
