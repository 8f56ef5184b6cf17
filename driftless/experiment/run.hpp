#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "driftless/base/named.hpp"
#include "driftless/experiment/checkpoint.hpp"
#include "driftless/experiment/drift_meter.hpp"
#include "driftless/experiment/metrics.hpp"
#include "driftless/experiment/prepared_network.hpp"
#include "driftless/experiment/quality.hpp"
#include "driftless/experiment/row_rounds.hpp"

namespace driftless {

struct RunOptions {
  Round rounds = 100;
  Round evaluate_every =
      1;                    // rounds between two rows; the first and the last round have one always
  Round evaluate_from = 0;  // the round from which on there are rows
  EvaluationOptions evaluation{};
  // A loss above so many times 1 + |loss at the start|, or one that is not finite, is divergence.
  double divergence_factor = 1e6;
  bool stop_at_divergence = true;
  // The run is saved after every so many rounds, when so many minutes have passed, when it is
  // stopped, and at the end of a run that was saved before; 0: not so.
  Round save_every_rounds = 0;
  double save_every_minutes = 0;
  RunIdentity identity = {};         // which a checkpoint tells
  const Checkpoint* from = nullptr;  // where the run continues; null: it begins

  RowRounds rows() const {
    return {.last = rounds, .every = evaluate_every, .from = evaluate_from};
  }
};

enum class Outcome { finished, diverged, interrupted };
template <>
inline constexpr auto values_of<Outcome> =
    std::to_array<Named<Outcome>>({{Outcome::finished, "finished"},
                                   {Outcome::diverged, "diverged"},
                                   {Outcome::interrupted, "interrupted"}});

struct RunResult {
  Outcome outcome = Outcome::finished;
  std::string diagnosis = {};  // of a divergence: when, where and the likely cause
  // The last row; where no round was left to resume, its round alone.
  Metrics last;
};

// Models as the run had them: networks are trained in float, all else in double.
using Numbers = std::variant<std::span<const float>, std::span<const double>>;

// What is left when a planned run ends.
struct RunEnd {
  const RunResult& result;
  const PreparedNetwork& network;
  std::optional<FaultCounts> faults;  // none: nothing can go wrong
  const Traffic& traffic;
  Index dim;
  std::optional<double> smoothness;
  std::optional<double> optimal_value;
  const ToldSplit* split;  // of the data; null: there is none to tell
  const ModelCard* card;   // of a model that was learnt from samples; null: it was not
  const std::optional<RunQuality>& quality;
  Numbers models;  // one after the other
  Numbers mean_model;
  const FileSums& inputs;  // the files that the config names
};

// Who wants to know how a run goes on. In a job of several processes the first one alone has
// observers; nothing that an observer does is collective.
class RunObserver {
 public:
  RunObserver() = default;
  RunObserver(const RunObserver&) = delete;
  RunObserver& operator=(const RunObserver&) = delete;
  virtual ~RunObserver() = default;

  virtual void evaluated(const Metrics& /*row*/) {}
  virtual void round_done(Round /*rounds*/) {}
  // The run is about to be saved: where; nowhere, if this observer has no place for it.
  virtual SavePlace saving(const RunPosition& /*at*/) { return {}; }
  virtual void saved(const RunPosition& /*at*/) {}
  virtual void ended(const RunEnd& /*end*/) {}
};

// Whom the loop tells, and whom it asks.
template <class Real>
struct RunListeners {
  std::vector<RunObserver*> observers = {};
  // Asked after every round, in every process; empty: the run goes on to its end.
  std::function<bool()> wants_stop = {};
  // The problem that the algorithm was given, where rows are to tell the drift too.
  DriftMeter<Real>* drift = nullptr;
};

// The loop: start or restore, rounds, evaluation, time-keeping, saving, and the end. Bytes are
// counted from the start of this run. Collective.
template <class Real>
RunResult run(Algorithm<Real>& algorithm, const Problem<Real>& problem, Network& network,
              const RunOptions& options, const RunListeners<Real>& listeners = {});

}  // namespace driftless
