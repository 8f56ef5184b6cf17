#pragma once

#include <string>

#include "driftless/experiment/drift_meter.hpp"
#include "driftless/experiment/metrics.hpp"

namespace driftless {

struct RunOptions {
  Round rounds = 100;
  // Rounds between two rows; the first and the last round always have one.
  Round evaluate_every = 1;
  EvaluationOptions evaluation{};
};

enum class Outcome { finished, diverged, interrupted };
std::string_view name_of(Outcome outcome);

struct RunResult {
  Outcome outcome = Outcome::finished;
  std::string diagnosis = {};  // of a run that diverged: when, where and the likely cause
  Metrics last;                // the last row
};

// Who wants to know how a run goes on.
class RunObserver {
 public:
  RunObserver() = default;
  RunObserver(const RunObserver&) = delete;
  RunObserver& operator=(const RunObserver&) = delete;
  virtual ~RunObserver() = default;

  virtual void evaluated(const Metrics& row) { (void)row; }
  virtual void round_done(Round rounds) { (void)rounds; }
  virtual bool wants_stop() { return false; }  // asked after every round
};

// The loop: rounds, evaluation, time-keeping, and the end. The algorithm must have been started.
// With a drift meter, which the algorithm then has as its problem, rows tell the drift too.
template <class Real>
RunResult run(Algorithm<Real>& algorithm, const Problem<Real>& problem, const Network& network,
              const RunOptions& options, RunObserver& observer, DriftMeter<Real>* drift = nullptr);

// The same, starting the algorithm where the problem says, for who only wants the result.
template <class Real>
RunResult run(Algorithm<Real>& algorithm, const Problem<Real>& problem, const Network& network,
              const RunOptions& options);

}  // namespace driftless
