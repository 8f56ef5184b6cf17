#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "driftless/experiment/drift_meter.hpp"
#include "driftless/experiment/metrics.hpp"

namespace driftless {

// Where a run stands between two rounds. With the algorithm's state it is all that the rest of the
// run depends on.
struct RunPosition {
  Round round = 0;  // rounds done
  std::int64_t gradients = 0;
  double seconds = 0;          // spent in them
  double first_loss = 0;       // at the start, which divergence is measured by
  std::string diagnosis = {};  // of a divergence that was not to end the run
  Bytes edge = 0;              // sent so far, as Traffic counts
  Bytes uplink = 0;
};

// A run between two rounds, to be saved.
struct RunState {
  RunPosition position;
  std::variant<std::vector<NamedRows<float>>, std::vector<NamedRows<double>>> rows;
  const Network& network;
};

struct RunOptions {
  Round rounds = 100;
  // Rounds between two rows; the first and the last round always have one.
  Round evaluate_every = 1;
  EvaluationOptions evaluation{};
  // A loss above so many times 1 + |loss at the start|, or one that is not finite, is divergence.
  double divergence_factor = 1e6;
  bool stop_at_divergence = true;
  // The observer is told to save the run after every so many rounds, when so many minutes have
  // passed, when the run is stopped, and at the end of a run that was saved before; 0: not so.
  Round save_every_rounds = 0;
  double save_every_minutes = 0;
  // Where the algorithm, which has been given its state, continues; unset: at the beginning.
  std::optional<RunPosition> resumed{};
};

// Whether there is a row for so many rounds done.
inline bool has_row(Round done, Round rounds, Round evaluate_every) {
  return done % evaluate_every == 0 || done == rounds;
}

enum class Outcome { finished, diverged, interrupted };
std::string_view name_of(Outcome outcome);

struct RunResult {
  Outcome outcome = Outcome::finished;
  std::string diagnosis = {};  // of a divergence: when, where and the likely cause
  // The last row; where no round was left to resume, its round alone.
  Metrics last;
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
  // Every process of a run is told at the same time, so that they can bring the rows together.
  virtual void save(const RunState& state) { (void)state; }
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
