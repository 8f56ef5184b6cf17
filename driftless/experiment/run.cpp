#include "driftless/experiment/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace driftless {

namespace {

class Stopwatch {
 public:
  void start() { begin_ = Clock::now(); }
  void stop() { elapsed_ += Clock::now() - begin_; }
  double seconds() const { return std::chrono::duration<double>(elapsed_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_;
  Clock::duration elapsed_{};
};

// A loss that overflows leaves models that are finite but far beyond use: both count.
bool is_diverged(const Metrics& row) {
  return !std::isfinite(row.loss) || !std::isfinite(row.consensus);
}

template <class Real>
std::string diagnose(const Algorithm<Real>& algorithm, const Problem<Real>& problem,
                     const Network& network, Round round) {
  const std::vector<double> finite =
      network.gather([&](NodeId i) { return algorithm.models()[i].allFinite() ? 1.0 : 0.0; });
  const auto node = std::ranges::find(finite, 0.0) - finite.begin();
  const bool infinite = node < std::ssize(finite);
  std::string text = fmt::format("diverged by round {}: ", round);
  text += infinite ? fmt::format("the model of node {} is not finite", node)
                   : std::string("the loss is not finite");
  const double rate = algorithm.options().local_rate;
  if (const auto smoothness = problem.smoothness()) {
    text += rate > 2.0 / *smoothness
                ? fmt::format(
                      "; local_rate = {} is above 2/L = {}, the largest that the curvature "
                      "allows: lower it",
                      rate, 2.0 / *smoothness)
                : fmt::format(
                      "; local_rate = {} is below 2/L = {}, so try fewer local steps, a lower "
                      "rate, or lazy weights",
                      rate, 2.0 / *smoothness);
  } else {
    text += fmt::format("; local_rate = {} is likely too large", rate);
  }
  return text;
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
  Stopwatch watch;
  const auto evaluate_now = [&](Round rounds, std::optional<double> drift_of_round) {
    result.last = evaluate(problem, network, algorithm, rounds, options.evaluation);
    result.last.seconds = watch.seconds();
    result.last.drift = drift_of_round;
    observer.evaluated(result.last);
    if (is_diverged(result.last)) {
      result.outcome = Outcome::diverged;
      result.diagnosis = diagnose(algorithm, problem, network, rounds);
    }
  };

  evaluate_now(0, std::nullopt);
  for (Round t = 0; t < options.rounds && result.outcome == Outcome::finished; ++t) {
    const Round done = t + 1;
    const bool due = done % options.evaluate_every == 0 || done == options.rounds;
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

    observer.round_done(done);
    // Processes agree on stopping where they meet anyway: a word every round would be a barrier.
    const bool asked = observer.wants_stop();
    const bool stop =
        done < options.rounds && (network.hosts_all() ? asked : due && network.any(asked));
    if (due || stop) {
      evaluate_now(
          done, with_drift ? std::optional(drift->drift(network, consensus_before)) : std::nullopt);
    }
    if (stop && result.outcome == Outcome::finished) result.outcome = Outcome::interrupted;
  }
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
