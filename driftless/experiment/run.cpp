#include "driftless/experiment/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <vector>

#include "driftless/base/processes.hpp"
#include "driftless/experiment/diagnosis.hpp"
#include "driftless/experiment/members_optimum.hpp"

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

// A state with numbers that are not finite is not saved: it would push out the last good one.
template <class Real>
bool is_sound(Algorithm<Real>& algorithm, const Network& network) {
  const auto state = algorithm.state();
  const std::vector<double> unsound = network.gather([&](NodeId i) {
    const auto is_finite = [&](const NamedRows<Real>& each) { return (*each.rows)[i].allFinite(); };
    return std::ranges::all_of(state, is_finite) ? 0.0 : 1.0;  // 0, too, of a node that is lost
  });
  return std::ranges::find(unsound, 1.0) == unsound.end();
}

// One run on its way.
template <class Real>
class Loop {
 public:
  Loop(Algorithm<Real>& algorithm, const Problem<Real>& problem, Network& network,
       const RunOptions& options, const RunListeners<Real>& listeners)
      : algorithm_(algorithm),
        problem_(problem),
        network_(network),
        options_(options),
        listeners_(listeners),
        optimum_(problem, network),
        rows_(options.rows()),
        at_(options.from != nullptr ? options.from->position : RunPosition{}),
        watch_(at_.seconds),
        save_clock_(options.save_every_minutes),
        saved_(options.from != nullptr) {}

  RunResult run() {
    begin();
    while (at_.round < options_.rounds && result_.outcome == Outcome::finished) {
      try {
        one_round();
      } catch (const SilentProcess& silent) {
        throw SilentProcess(fmt::format("{}, in round {}", silent.what(), at_.round));
      }
    }
    result_.diagnosis = at_.diagnosis;
    return result_;
  }

 private:
  void begin() {
    if (options_.from != nullptr) {
      restore(*options_.from, algorithm_, network_);
      result_.last.round = at_.round;
    } else {
      network_.traffic().resume({});
      algorithm_.start(starting_models(problem_, network_));
      evaluate_now(std::nullopt);
    }
  }

  void one_round() {
    const Round t = at_.round++;
    const bool last = at_.round == options_.rounds;
    const bool due = rows_.has(at_.round);
    const bool with_drift = due && listeners_.drift != nullptr;
    const double consensus_before = with_drift ? watch_drift(t) : 0;

    watch_.start();
    algorithm_.advance(t);
    watch_.stop();

    for (RunObserver* observer : listeners_.observers) observer->round_done(at_.round);
    const bool save_round =
        options_.save_every_rounds > 0 && (last || at_.round % options_.save_every_rounds == 0);
    // Processes agree on stopping and saving where they meet anyway: a word every round would be a
    // barrier.
    const bool meeting = !last && (due || save_round || network_.hosts_all());
    const bool stop = meeting && network_.any(listeners_.wants_stop && listeners_.wants_stop());
    const bool save_now =
        save_round || stop || (last && saved_) || (meeting && network_.any(save_clock_.due()));
    if (due) {
      evaluate_now(with_drift ? std::optional(listeners_.drift->drift(network_, consensus_before))
                              : std::nullopt);
    }
    if (save_now && result_.outcome == Outcome::finished &&
        (!options_.stop_at_divergence || is_sound(algorithm_, network_))) {
      save();
    }
    if ((stop && !due) || went_astray(due)) evaluate_now(std::nullopt);
    if (stop && result_.outcome == Outcome::finished) result_.outcome = Outcome::interrupted;
  }

  // Where rows are left out, whether the run has diverged: it then ends at once, not at its next
  // row. Looked at where a row would be, for processes must agree on it. The loss takes a pass over
  // all data, so it is asked for at the first, second, fourth, eighth of these rows.
  bool went_astray(bool due) {
    if (due || at_.round % rows_.every != 0 || !options_.stop_at_divergence) return false;
    if (!is_sound(algorithm_, network_)) return true;
    if (!std::has_single_bit(static_cast<std::uint64_t>(at_.round / rows_.every))) return false;
    const Vector<Real> mean = mean_model(network_, algorithm_);
    return network_.mean([&](NodeId i) { return problem_.loss(i, mean); }) > bound();
  }

  // A loss far above that of the start has no way back, long before numbers overflow.
  double bound() const { return options_.divergence_factor * (1 + std::abs(at_.first_loss)); }

  // Gives the consensus distance at the beginning of the round.
  double watch_drift(Round t) {
    const Vector<Real> center = mean_model(network_, algorithm_);
    listeners_.drift->watch(t, center);
    return network_.mean([&](NodeId i) {
      return static_cast<double>((algorithm_.models()[i] - center).squaredNorm());
    });
  }

  void evaluate_now(std::optional<double> drift_of_round) {
    Metrics& row = result_.last;
    EvaluationOptions evaluation = options_.evaluation;
    evaluation.best = optimum_.now();
    row = evaluate(problem_, network_, algorithm_, at_.round, evaluation);
    row.seconds = watch_.seconds();
    row.drift = drift_of_round;
    for (RunObserver* observer : listeners_.observers) observer->evaluated(row);
    if (at_.round == 0) at_.first_loss = row.loss;
    if (!at_.diagnosis.empty()) return;  // one is enough
    if (!is_diverged(row, bound())) return;
    at_.diagnosis = diagnose(algorithm_, problem_, network_, row, bound());
    if (options_.stop_at_divergence) result_.outcome = Outcome::diverged;
  }

  void save() {
    at_.gradients = algorithm_.gradients();
    at_.seconds = watch_.seconds();
    at_.traffic = network_.traffic().counts();
    if (network_.weather() != nullptr) at_.faults = network_.weather()->counts();
    SavePlace place;
    for (RunObserver* observer : listeners_.observers) {
      if (SavePlace own = observer->saving(at_); own.folder != nullptr) place = std::move(own);
    }
    write_checkpoint(place, options_.identity, at_, algorithm_.state(), network_);
    for (RunObserver* observer : listeners_.observers) observer->saved(at_);
    save_clock_.restart();
    saved_ = true;
  }

  Algorithm<Real>& algorithm_;
  const Problem<Real>& problem_;
  Network& network_;
  const RunOptions& options_;
  const RunListeners<Real>& listeners_;
  MembersOptimum<Real> optimum_;
  RowRounds rows_;
  RunPosition at_;
  RunResult result_;
  Stopwatch watch_;
  SaveClock save_clock_;
  bool saved_;
};

}  // namespace

template <class Real>
RunResult run(Algorithm<Real>& algorithm, const Problem<Real>& problem, Network& network,
              const RunOptions& options, const RunListeners<Real>& listeners) {
  return Loop<Real>(algorithm, problem, network, options, listeners).run();
}

template RunResult run(Algorithm<float>&, const Problem<float>&, Network&, const RunOptions&,
                       const RunListeners<float>&);
template RunResult run(Algorithm<double>&, const Problem<double>&, Network&, const RunOptions&,
                       const RunListeners<double>&);

}  // namespace driftless
