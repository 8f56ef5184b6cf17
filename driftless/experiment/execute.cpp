#include "driftless/experiment/execute.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <exception>

#include "driftless/algorithm/registry.hpp"
#include "driftless/base/parallel.hpp"

namespace driftless {

namespace {

// What the first rank continues from, told to all of them.
std::optional<Checkpoint> shared_checkpoint(const RunRecorder& recorder, const Runtime& ranks) {
  const Checkpoint* own = ranks.first() ? recorder.resumes_from() : nullptr;
  const std::string header = ranks.broadcast(own != nullptr ? header_of(*own) : "");
  if (header.empty()) return std::nullopt;
  return own != nullptr ? *own : parse_header(header, "the checkpoint of rank 0");
}

template <class Real>
void execute_on(const Problem<Real>& problem, const ExperimentConfig& config,
                const PreparedNetwork& prepared, const Runtime& ranks, RunRecorder& recorder) {
  const std::unique_ptr<Network> owned = ranks.network(prepared.mixing);
  Network& network = *owned;
  std::unique_ptr<DriftMeter<Real>> drift;
  if (config.run.drift) drift = std::make_unique<DriftMeter<Real>>(problem);
  const Problem<Real>& seen = drift ? static_cast<const Problem<Real>&>(*drift) : problem;

  const auto algorithm =
      make_algorithm(config.algorithm.kind, seen, network, algorithm_options(config));
  algorithm->start(starting_models(problem, network));
  const std::optional<Checkpoint> checkpoint = shared_checkpoint(recorder, ranks);
  if (checkpoint) restore(*checkpoint, *algorithm, network);
  const RunResult result = run<Real>(
      *algorithm, problem, network,
      {.rounds = config.run.rounds,
       .evaluate_every = config.run.evaluate_every,
       .evaluation = {.gradients = config.run.gradient_metrics.value_or(!learns(config.problem)),
                      .every_node = config.run.test_every_node},
       .divergence_factor = config.run.divergence_factor,
       .stop_at_divergence = config.run.on_divergence == "stop",
       .save_every_rounds = config.checkpoint.every_rounds.value_or(0),
       .save_every_minutes = config.checkpoint.every_minutes,
       .resumed = checkpoint ? std::optional(checkpoint->position) : std::nullopt},
      recorder, drift.get());

  const auto numbers = [](const Real* data, Index size) {
    return std::span<const Real>(data, static_cast<std::size_t>(size));
  };
  Rows<Real> room;
  const Rows<Real>& models = network.collect(algorithm->models(), room);
  const Vector<Real> mean = mean_model(network, *algorithm);
  const Optimum* optimum = problem.optimum();
  recorder.ended(
      {.result = result,
       .network = prepared,
       .traffic = network.traffic(),
       .dim = problem.dim(),
       .smoothness = problem.smoothness(),
       .optimal_value = optimum ? std::optional(optimum->value) : std::nullopt,
       .models = numbers(models.row(models.hosted().first), models.hosted().size() * models.dim()),
       .mean_model = numbers(mean.data(), mean.size())});
}

}  // namespace

void execute(const PlannedRun& planned, const Setup& setup, RunRecorder& recorder,
             const Runtime& ranks) {
  std::visit(
      [&](const auto& problem) {
        execute_on(*problem, planned.config, setup.network(planned.config), ranks, recorder);
      },
      setup.problem(planned.config));
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

void execute_all(std::span<const PlannedRun> runs, const Setup& setup, int threads,
                 const MakeRecorder& make, const Runtime& ranks) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  if (ranks.count() > 1) {
    arena.execute([&] {
      for (std::size_t k = 0; k < runs.size(); ++k) {
        if (const auto recorder = make(k)) execute(runs[k], setup, *recorder, ranks);
      }
    });
    return;
  }
  FirstFailure failure;
  arena.execute([&] {
    parallel_runs(std::ssize(runs), [&](Index i) {
      if (failure.happened()) return;
      const auto k = static_cast<std::size_t>(i);
      try {
        if (const auto recorder = make(k)) execute(runs[k], setup, *recorder, ranks);
      } catch (...) {
        failure.note(std::current_exception());
      }
    });
  });
  failure.rethrow();
}

}  // namespace driftless
