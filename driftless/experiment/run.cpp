#include "driftless/experiment/run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "driftless/experiment/diagnosis.hpp"

namespace driftless {

namespace {

class Stopwatch {
 public:
  explicit Stopwatch(double seconds)
      : elapsed_(
            std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {}
  void start() { begin_ = Clock::now(); }
  void stop() { elapsed_ += Clock::now() - begin_; }
  double seconds() const { return std::chrono::duration<double>(elapsed_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_;
  Clock::duration elapsed_;
};

// Tells when a run has gone on for long enough to be saved again.
class SaveClock {
 public:
  explicit SaveClock(double minutes) : minutes_(minutes) {}
  bool due() const { return minutes_.count() > 0 && Clock::now() - begin_ >= minutes_; }
  void restart() { begin_ = Clock::now(); }

 private:
  using Clock = std::chrono::steady_clock;
  std::chrono::duration<double, std::ratio<60>> minutes_;
  Clock::time_point begin_ = Clock::now();
};

bool is_diverged(const Metrics& row, double bound) {
  return !std::isfinite(row.loss) || !std::isfinite(row.consensus) || row.loss > bound;
}

// A run whose numbers are lost already is not worth saving: what was saved before is.
template <class Real>
bool is_sound(Algorithm<Real>& algorithm, const Network& network) {
  const auto state = algorithm.state();
  const std::vector<double> finite = network.gather([&](NodeId i) {
    const auto is_finite = [&](const NamedRows<Real>& each) { return (*each.rows)[i].allFinite(); };
    return std::ranges::all_of(state, is_finite) ? 1.0 : 0.0;
  });
  return std::ranges::find(finite, 0.0) == finite.end();
}

}  // namespace

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::finished:
      return "finished";
    case Outcome::diverged:
      return "diverged";
    case Outcome::interrupted:
      return "interrupted";
  }
  return "unknown";
}

template <class Real>
RunResult run(Algorithm<Real>& algorithm, const Problem<Real>& problem, const Network& network,
              const RunOptions& options, RunObserver& observer, DriftMeter<Real>* drift) {
  RunResult result;
  RunPosition at = options.resumed.value_or(RunPosition{});
  Stopwatch watch(at.seconds);
  SaveClock save_clock(options.save_every_minutes);
  bool saved = options.resumed.has_value();
  result.last.round = at.round;
  const auto evaluate_now = [&](std::optional<double> drift_of_round) {
    result.last = evaluate(problem, network, algorithm, at.round, options.evaluation);
    result.last.seconds = watch.seconds();
    result.last.drift = drift_of_round;
    observer.evaluated(result.last);
    if (at.round == 0) at.first_loss = result.last.loss;
    if (!at.diagnosis.empty()) return;  // one is enough
    // A loss far above that of the start has no way back, long before numbers overflow.
    const double bound = options.divergence_factor * (1 + std::abs(at.first_loss));
    if (is_diverged(result.last, bound)) {
      at.diagnosis = diagnose(algorithm, problem, network, result.last, bound);
      if (options.stop_at_divergence) result.outcome = Outcome::diverged;
    }
  };
  const auto save = [&] {
    at.gradients = algorithm.gradients();
    at.seconds = watch.seconds();
    at.edge = network.traffic().edge();
    at.uplink = network.traffic().uplink();
    observer.save({.position = at, .rows = algorithm.state(), .network = network});
    save_clock.restart();
    saved = true;
  };

  if (!options.resumed) evaluate_now(std::nullopt);
  while (at.round < options.rounds && result.outcome == Outcome::finished) {
    const Round t = at.round++;
    const bool last = at.round == options.rounds;
    const bool due = has_row(at.round, options.rounds, options.evaluate_every);
    const bool with_drift = due && drift != nullptr;
    double consensus_before = 0;
    if (with_drift) {
      const Vector<Real> center = mean_model(network, algorithm);
      consensus_before = network.mean([&](NodeId i) {
        return static_cast<double>((algorithm.models()[i] - center).squaredNorm());
      });
      drift->watch(t, center);
    }

    watch.start();
    algorithm.round(t);
    watch.stop();

    observer.round_done(at.round);
    const bool save_round =
        options.save_every_rounds > 0 && (last || at.round % options.save_every_rounds == 0);
    // Processes agree on stopping and saving where they meet anyway: a word every round would be a
    // barrier.
    const bool meeting = due || save_round || network.hosts_all();
    const bool stop = meeting && !last && network.any(observer.wants_stop());
    const bool save_now = save_round || stop || (last && saved) ||
                          (meeting && !last && network.any(save_clock.due()));
    if (due) {
      evaluate_now(with_drift ? std::optional(drift->drift(network, consensus_before))
                              : std::nullopt);
    }
    if (save_now && result.outcome == Outcome::finished &&
        (!options.stop_at_divergence || is_sound(algorithm, network))) {
      save();
    }
    if (stop && !due) evaluate_now(std::nullopt);
    if (stop && result.outcome == Outcome::finished) result.outcome = Outcome::interrupted;
  }
  result.diagnosis = at.diagnosis;
  return result;
}

template <class Real>
RunResult run(Algorithm<Real>& algorithm, const Problem<Real>& problem, const Network& network,
              const RunOptions& options) {
  algorithm.start(starting_models(problem, network));
  RunObserver nobody;
  return run(algorithm, problem, network, options, nobody);
}

template RunResult run(Algorithm<float>&, const Problem<float>&, const Network&, const RunOptions&,
                       RunObserver&, DriftMeter<float>*);
template RunResult run(Algorithm<double>&, const Problem<double>&, const Network&,
                       const RunOptions&, RunObserver&, DriftMeter<double>*);
template RunResult run(Algorithm<float>&, const Problem<float>&, const Network&, const RunOptions&);
template RunResult run(Algorithm<double>&, const Problem<double>&, const Network&,
                       const RunOptions&);

}  // namespace driftless
