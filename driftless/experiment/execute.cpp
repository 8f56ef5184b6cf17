#include "driftless/experiment/execute.hpp"

#include <atomic>
#include <exception>

#include "driftless/algorithm/registry.hpp"
#include "driftless/base/parallel.hpp"
#include "driftless/config/key.hpp"

namespace driftless {
namespace {

RunOptions run_options(const ExperimentConfig& config, const FileSums& inputs,
                       const Checkpoint* from) {
  const RowRounds rows = row_rounds(config.run);
  return {.rounds = rows.last,
          .evaluate_every = rows.every,
          .evaluate_from = rows.from,
          .evaluation = evaluation_options(config),
          .divergence_factor = config.run.divergence_factor,
          .stop_at_divergence = config.run.on_divergence == "stop",
          .save_every_rounds = config.checkpoint.every_rounds.value_or(0),
          .save_every_minutes = config.checkpoint.every_minutes,
          .identity = {.config = to_toml(config), .inputs = inputs},
          .from = from};
}

// What the first process continues from, told to all of them.
std::optional<Checkpoint> shared(const std::optional<Checkpoint>& own, const Processes& processes) {
  if (processes.count() == 1) return own;
  const std::string header = processes.broadcast(own ? header_of(*own) : "");
  if (header.empty() || own) return own;
  return parse_header(header, "the checkpoint of rank 0");
}

template <class Real>
Numbers numbers(const Real* data, Index size) {
  return std::span<const Real>(data, static_cast<std::size_t>(size));
}

template <class Real>
void run_on(const Problem<Real>& problem, const ExperimentConfig& config, const Setup& setup,
            const Runtime& runtime, const ExecuteOptions& options, const Followers& followers) {
  const PreparedNetwork& prepared = setup.network(config);
  std::optional<Conditions> conditions = setup.conditions(config, problem.dim());
  const std::unique_ptr<Network> network =
      conditions ? runtime.network(std::move(*conditions)) : runtime.network(*prepared.mixing);
  RunListeners<Real> listeners{.wants_stop = options.wants_stop};
  for (const auto& observer : followers.observers) listeners.observers.push_back(observer.get());
  std::unique_ptr<DriftMeter<Real>> drift;
  if (config.run.drift) drift = std::make_unique<DriftMeter<Real>>(problem);
  listeners.drift = drift.get();
  const Problem<Real>& seen = drift ? static_cast<const Problem<Real>&>(*drift) : problem;
  const auto algorithm =
      make_algorithm(config.algorithm.kind, seen, *network, algorithm_options(config));
  const std::optional<Checkpoint> from = shared(followers.from, runtime);

  const FileSums inputs = runtime.first() ? setup.inputs(config) : FileSums();
  const RunResult result =
      run<Real>(*algorithm, problem, *network, run_options(config, inputs, from ? &*from : nullptr),
                listeners);

  Rows<Real> room;
  const Rows<Real>& models = network->collect(algorithm->models(), room);
  const Vector<Real> mean = mean_model(*network, *algorithm);
  const Optimum* optimum = problem.optimum();
  const Learning<Real>* learning = problem.learning();
  std::optional<RunQuality> quality;
  if (learning) {
    quality =
        measure_quality(*learning, *network, algorithm->models(), mean, config.run.test_every_node);
  }
  const RunEnd end{
      .result = result,
      .network = prepared,
      .faults = network->weather() ? std::optional(network->weather()->counts()) : std::nullopt,
      .traffic = network->traffic(),
      .dim = problem.dim(),
      .smoothness = problem.smoothness(),
      .optimal_value = optimum ? std::optional(optimum->value) : std::nullopt,
      .split = learning ? learning->split() : nullptr,
      .card = learning ? learning->card() : nullptr,
      .quality = quality,
      .models = numbers(models.row(models.hosted().first), models.hosted().size() * models.dim()),
      .mean_model = numbers(mean.data(), mean.size()),
      .inputs = inputs};
  for (RunObserver* observer : listeners.observers) observer->ended(end);
}

void run_planned(const PlannedRun& planned, const Setup& setup, const Runtime& runtime,
                 const ExecuteOptions& options) {
  const Followers followers = runtime.first() ? options.follow(planned) : Followers{};
  std::visit(
      [&](const auto& problem) {
        run_on(*problem, planned.config, setup, runtime, options, followers);
      },
      setup.problem(planned.config));
}

}  // namespace

void execute(std::span<const PlannedRun* const> runs, const Setup& setup, const Runtime& runtime,
             const ExecuteOptions& options) {
  if (runtime.count() > 1) {
    on_threads(options.threads, [&] {
      for (const PlannedRun* planned : runs) {
        if (runtime.any(options.wants_stop())) return;
        run_planned(*planned, setup, runtime, options);
      }
    });
    return;
  }
  // A failure must not reach tbb: it would cancel the loops inside the runs beside it, which would
  // then go on with half their nodes' work undone. They end in peace, and no other run begins.
  std::atomic<bool> failed = false;
  std::exception_ptr first_failure;
  on_threads(options.threads, [&] {
    parallel_runs(std::ssize(runs), [&](Index k) {
      if (failed || options.wants_stop()) return;
      try {
        run_planned(*runs[static_cast<std::size_t>(k)], setup, runtime, options);
      } catch (...) {
        if (!failed.exchange(true)) first_failure = std::current_exception();
      }
    });
  });
  if (first_failure) std::rethrow_exception(first_failure);
}

}  // namespace driftless
