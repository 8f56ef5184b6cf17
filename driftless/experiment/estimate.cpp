#include "driftless/experiment/estimate.hpp"

#include <chrono>

#include "driftless/algorithm/registry.hpp"
#include "driftless/experiment/run.hpp"
#include "driftless/network/local_network.hpp"

namespace driftless {
namespace {

// The mean time of the work, repeated until it is long enough to be measured.
template <class Work>
double seconds_of(const Work& work) {
  using Clock = std::chrono::steady_clock;
  constexpr double enough = 0.1;
  constexpr int most = 1000;
  const auto begin = Clock::now();
  double seconds = 0;
  int times = 0;
  while (times < most && seconds < enough) {
    work();
    ++times;
    seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  return seconds / times;
}

template <class Real>
RunEstimate estimate_on(const Problem<Real>& problem, const ExperimentConfig& config,
                        const Setup& setup) {
  std::optional<Conditions> conditions = setup.conditions(config, problem.dim());
  LocalNetwork network = conditions ? LocalNetwork(std::move(*conditions))
                                    : LocalNetwork(*setup.network(config).mixing);
  const auto algorithm =
      make_algorithm(config.algorithm.kind, problem, network, algorithm_options(config));
  algorithm->start(starting_models(problem, network));
  const EvaluationOptions evaluation = evaluation_options(config);
  const double row = seconds_of([&] { evaluate(problem, network, *algorithm, 0, evaluation); });
  Round t = 0;
  const double round = seconds_of([&] { algorithm->advance(t++); });
  const Round rounds = config.run.rounds;
  const RowRounds rows_at = row_rounds(config.run);
  Round rows = 1;
  for (Round done = 0; done < rounds; done = rows_at.after(done)) ++rows;
  RunEstimate found{.seconds =
                        static_cast<double>(rounds) * round + static_cast<double>(rows) * row};
  for (const NamedRows<Real>& each : algorithm->state()) {
    found.bytes +=
        sizeof(Real) * static_cast<double>(network.nodes()) * static_cast<double>(each.rows->dim());
  }
  return found;
}

}  // namespace

RunEstimate estimate_run(const PlannedRun& run, const Setup& setup) {
  return std::visit([&](const auto& problem) { return estimate_on(*problem, run.config, setup); },
                    setup.problem(run.config));
}

}  // namespace driftless
