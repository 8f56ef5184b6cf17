#include "driftless/experiment/execute.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <exception>

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

namespace {

// A failure must not reach tbb: it would cancel the loops inside the runs beside it, which would
// then go on with half their nodes' work undone. They end in peace, and no other run begins.
class FirstFailure {
 public:
  bool happened() const { return happened_; }
  void note(std::exception_ptr failure) {
    if (!happened_.exchange(true)) failure_ = std::move(failure);
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<bool> happened_{false};
  std::exception_ptr failure_;
};

}  // namespace

void execute_all(const ExperimentPlan& plan, const Setup& setup, int threads,
                 const MakeRecorder& make) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  FirstFailure failure;
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, plan.runs.size(), 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t k = range.begin(); k != range.end() && !failure.happened(); ++k) {
            try {
              if (const auto recorder = make(k)) execute(plan.runs[k], setup, *recorder);
            } catch (...) {
              failure.note(std::current_exception());
            }
          }
        },
        tbb::simple_partitioner());
  });
  failure.rethrow();
}

}  // namespace driftless
