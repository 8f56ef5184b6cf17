#include "driftless/experiment/execute.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "driftless/algorithm/registry.hpp"
#include "driftless/network/local_network.hpp"

namespace driftless {

void execute(const PlannedRun& planned, const Setup& setup, RunRecorder& recorder) {
  const ExperimentConfig& config = planned.config;
  const PreparedNetwork& prepared = setup.network(config);
  const auto problem = setup.problem(config);
  LocalNetwork network(prepared.mixing);

  std::unique_ptr<DriftMeter<double>> drift;
  if (config.run.drift) drift = std::make_unique<DriftMeter<double>>(*problem);
  const Problem<double>& seen = drift ? static_cast<const Problem<double>&>(*drift) : *problem;

  const auto algorithm =
      make_algorithm(config.algorithm.kind, seen, network, algorithm_options(config));
  algorithm->start(starting_models(*problem, network));
  const RunResult result =
      run<double>(*algorithm, *problem, network,
                  {.rounds = config.run.rounds, .evaluate_every = config.run.evaluate_every},
                  recorder, drift.get());
  recorder.ended({.result = result,
                  .network = prepared,
                  .problem = *problem,
                  .traffic = network.traffic(),
                  .models = algorithm->models(),
                  .mean_model = mean_model(network, *algorithm)});
}

void execute_all(const ExperimentPlan& plan, const Setup& setup, int threads,
                 const MakeRecorder& make) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, plan.runs.size(), 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t k = range.begin(); k != range.end(); ++k) {
            if (const auto recorder = make(k)) execute(plan.runs[k], setup, *recorder);
          }
        },
        tbb::simple_partitioner());
  });
}

}  // namespace driftless
