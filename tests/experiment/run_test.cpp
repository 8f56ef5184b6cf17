#include "driftless/experiment/run.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/contains.hpp"
#include "tests/support/trial.hpp"

namespace driftless::testing {
namespace {

class Notes final : public RunObserver {
 public:
  explicit Notes(Round stop_after = -1) : stop_after_(stop_after) {}

  RunListeners<double> listeners() {
    return {.observers = {this}, .wants_stop = [this] { return done == stop_after_; }};
  }

  void evaluated(const Metrics& row) override { rows.push_back(row); }
  void round_done(Round rounds) override { done = rounds; }
  void saved(const RunPosition& at) override { positions.push_back(at); }

  std::vector<Round> evaluated_rounds() const {
    std::vector<Round> rounds;
    for (const Metrics& row : rows) rounds.push_back(row.round);
    return rounds;
  }

  std::vector<Round> saved_rounds() const {
    std::vector<Round> rounds;
    for (const RunPosition& position : positions) rounds.push_back(position.round);
    return rounds;
  }

  std::vector<Metrics> rows;
  std::vector<RunPosition> positions;
  Round done = 0;

 private:
  Round stop_after_;
};

Instance quiet(NodeId nodes = 5) {
  Instance instance;
  instance.nodes = nodes;
  instance.dim = 3;
  instance.rows = 4;
  instance.local_steps = 2;
  return instance;
}

RunResult run_k_gt(const RunOptions& options, Notes& notes, const Instance& instance = quiet()) {
  const auto problem = instance.problem();
  Trial trial("k-gt", *problem, instance.mixing(), instance.options());
  return run<double>(trial.algorithm(), *problem, trial.network(), options, notes.listeners());
}

using Rounds = std::vector<Round>;

TEST(Run, HasRowsAtTheStartAtEveryMultipleAndAtTheEnd) {
  Notes notes;
  const RunResult result = run_k_gt({.rounds = 10, .evaluate_every = 4}, notes);
  EXPECT_EQ(notes.evaluated_rounds(), (Rounds{0, 4, 8, 10}));
  EXPECT_EQ(notes.done, 10);
  EXPECT_EQ(result.outcome, Outcome::finished);
  EXPECT_EQ(result.diagnosis, "");
  EXPECT_EQ(result.last.round, 10);
  EXPECT_EQ(result.last.loss, notes.rows.back().loss);
}

TEST(Run, HasOneRowForTheLastRoundWhenItIsAMultiple) {
  Notes notes;
  run_k_gt({.rounds = 8, .evaluate_every = 4}, notes);
  EXPECT_EQ(notes.evaluated_rounds(), (Rounds{0, 4, 8}));
}

TEST(Run, HasRowsFromARoundOnBesideTheFirstAndTheLast) {
  Notes notes;
  run_k_gt({.rounds = 11, .evaluate_every = 2, .evaluate_from = 7}, notes);
  EXPECT_EQ(notes.evaluated_rounds(), (Rounds{0, 8, 10, 11}));
  Notes late;
  run_k_gt({.rounds = 5, .evaluate_every = 2, .evaluate_from = 9}, late);
  EXPECT_EQ(late.evaluated_rounds(), (Rounds{0, 5}));
}

TEST(RowRounds, FollowOneAnother) {
  const RowRounds rows{.last = 11, .every = 2, .from = 7};
  Rounds found{0};
  while (found.back() < 11) found.push_back(rows.after(found.back()));
  EXPECT_EQ(found, (Rounds{0, 8, 10, 11}));
  for (Round done = 0; done <= 11; ++done)
    EXPECT_EQ(rows.has(done), std::ranges::find(found, done) != found.end()) << done;
  EXPECT_FALSE(rows.stays(11)) << "with more rounds it goes";
  EXPECT_FALSE(rows.stays(6));
  EXPECT_TRUE(rows.stays(0) && rows.stays(8));
}

TEST(Run, EndsWithARowWhenItIsStopped) {
  Notes notes(3);
  const RunResult result = run_k_gt({.rounds = 10, .evaluate_every = 4}, notes);
  EXPECT_EQ(result.outcome, Outcome::interrupted);
  EXPECT_EQ(notes.evaluated_rounds(), (Rounds{0, 3}));
  EXPECT_EQ(result.last.round, 3);
}

TEST(Run, IsFinishedWhenItIsStoppedAtItsEnd) {
  Notes notes(10);
  EXPECT_EQ(run_k_gt({.rounds = 10, .evaluate_every = 4}, notes).outcome, Outcome::finished);
}

TEST(Run, DoesNotLookDifferentWhenItIsEvaluatedMoreOften) {
  Notes often;
  Notes seldom;
  const RunResult a = run_k_gt({.rounds = 9, .evaluate_every = 1}, often);
  const RunResult b = run_k_gt({.rounds = 9, .evaluate_every = 9}, seldom);
  EXPECT_EQ(a.last.loss, b.last.loss);
  EXPECT_EQ(a.last.bytes_total, b.last.bytes_total);
  EXPECT_EQ(a.last.gradients, b.last.gradients);
}

TEST(Run, TellsTimeThatNeverFalls) {
  Notes notes;
  run_k_gt({.rounds = 50, .evaluate_every = 1}, notes);
  EXPECT_EQ(notes.rows.front().seconds, 0);
  for (std::size_t k = 1; k < notes.rows.size(); ++k) {
    EXPECT_GE(notes.rows[k].seconds, notes.rows[k - 1].seconds);
  }
  EXPECT_GT(notes.rows.back().seconds, 0);
}

TEST(Run, StartsWhereTheProblemSaysWhenNobodyWatches) {
  const Instance instance = quiet();
  const auto problem = instance.problem();
  Trial trial("k-gt", *problem, instance.mixing(), instance.options());
  trial.round(0);
  const RunResult result =
      run<double>(trial.algorithm(), *problem, trial.network(), {.rounds = 6, .evaluate_every = 6});
  Notes notes;
  EXPECT_EQ(result.last.loss, run_k_gt({.rounds = 6, .evaluate_every = 1}, notes).last.loss);
}

TEST(Run, ReportsDivergenceWithItsRoundNodeAndRate) {
  const Instance instance = quiet();
  const auto problem = instance.problem();
  AlgorithmOptions options = instance.options();
  options.local_rate = 50;
  Trial trial("d-sgd", *problem, instance.mixing(), options);
  Notes notes;
  const RunResult result = run<double>(trial.algorithm(), *problem, trial.network(),
                                       {.rounds = 2000, .evaluate_every = 10}, notes.listeners());
  EXPECT_EQ(result.outcome, Outcome::diverged);
  EXPECT_LT(result.last.round, 2000);
  EXPECT_EQ(notes.done, result.last.round) << "goes on after the divergence";
  const double bound = 1e6 * (1 + notes.rows.front().loss);
  EXPECT_GT(notes.rows.back().loss, bound);
  EXPECT_LE(notes.rows[notes.rows.size() - 2].loss, bound);
  EXPECT_TRUE(
      contains(result.diagnosis, "diverged by round " + std::to_string(result.last.round) + ":"));
  EXPECT_TRUE(contains(result.diagnosis, "local_rate = 50 is above 2/L = "));
}

// With the rate 1e60 the models overflow within ten rounds; with 50 only the loss is too large
// then.
TEST(Run, EndsAtDivergenceAlsoWhereRowsAreLeftOut) {
  for (const double rate : {1e60, 50.0}) {
    const Instance instance = quiet();
    const auto problem = instance.problem();
    AlgorithmOptions options = instance.options();
    options.local_rate = rate;
    Trial trial("d-sgd", *problem, instance.mixing(), options);
    Notes notes;
    const RunResult result = run<double>(
        trial.algorithm(), *problem, trial.network(),
        {.rounds = 2000, .evaluate_every = 10, .evaluate_from = 1000}, notes.listeners());
    EXPECT_EQ(result.outcome, Outcome::diverged);
    EXPECT_EQ(notes.evaluated_rounds(), (Rounds{0, 10})) << rate;
    EXPECT_EQ(std::isfinite(result.last.loss), rate == 50);
  }
}

// D² on a hypercube, whose W has the eigenvalue −1/2.
TEST(Run, DoesNotBlameARateThatTheCurvatureAllows) {
  Instance instance = quiet(8);
  instance.family = "hypercube";
  instance.local_steps = 1;
  const auto problem = instance.problem();
  Trial trial("d2", *problem, instance.mixing(), instance.options());
  Notes notes;
  const RunResult result = run<double>(trial.algorithm(), *problem, trial.network(),
                                       {.rounds = 20000, .evaluate_every = 100}, notes.listeners());
  EXPECT_EQ(result.outcome, Outcome::diverged);
  EXPECT_TRUE(contains(result.diagnosis, "is below 2/L = "));
  EXPECT_TRUE(contains(result.diagnosis, "lazy"));
}

TEST(Run, NamesTheNodeWhoseModelIsNotFinite) {
  const Instance instance = quiet();
  LeastSquaresData data = instance.data();
  data.x0.assign(5, Vector<double>::Zero(3));
  data.x0[3][1] = std::numeric_limits<double>::quiet_NaN();
  const auto problem = make_least_squares<double>(data, 0);
  Trial trial("d-sgd", *problem, instance.mixing(), instance.options());
  Notes notes;
  const RunResult result =
      run<double>(trial.algorithm(), *problem, trial.network(), {.rounds = 5}, notes.listeners());
  EXPECT_EQ(result.outcome, Outcome::diverged);
  EXPECT_EQ(notes.evaluated_rounds(), (Rounds{0}));
  EXPECT_TRUE(contains(result.diagnosis, "diverged by round 0: the model of node 3 is not finite"));
}

TEST(Run, IsSavedEverySoManyRoundsAndAtItsEnd) {
  Notes notes;
  run_k_gt({.rounds = 10, .evaluate_every = 100, .save_every_rounds = 4}, notes);
  EXPECT_EQ(notes.saved_rounds(), (Rounds{4, 8, 10}));
  EXPECT_EQ(notes.positions[0].gradients, 8);
  // Two vectors of three doubles a round.
  EXPECT_EQ(notes.positions[1].traffic.edge, Bytes{8} * 2 * 3 * sizeof(double));
  EXPECT_EQ(notes.positions[1].first_loss, notes.rows.front().loss);
  EXPECT_GT(notes.positions[1].seconds, notes.positions[0].seconds);
}

TEST(Run, IsSavedWhenItIsStopped) {
  Notes notes(3);
  run_k_gt({.rounds = 10, .evaluate_every = 4}, notes);
  EXPECT_EQ(notes.saved_rounds(), (Rounds{3}));
}

TEST(Run, IsNotSavedWhenNobodyAsks) {
  Notes notes;
  run_k_gt({.rounds = 10}, notes);
  EXPECT_EQ(notes.saved_rounds(), (Rounds{}));
}

TEST(Run, IsSavedWhenTimeHasPassedAndThenAtItsEnd) {
  Notes notes;
  run_k_gt({.rounds = 5, .save_every_minutes = 1e-12}, notes);
  EXPECT_EQ(notes.saved_rounds(), (Rounds{1, 2, 3, 4, 5}));
}

TEST(Run, IsNotSavedWithNumbersThatAreLost) {
  const Instance instance = quiet();
  LeastSquaresData data = instance.data();
  const auto problem = make_least_squares<double>(data, 0);
  AlgorithmOptions options = instance.options();
  options.local_rate = 1e60;
  Trial trial("d-sgd", *problem, instance.mixing(), options);
  Notes notes;
  const RunResult result =
      run<double>(trial.algorithm(), *problem, trial.network(),
                  {.rounds = 100, .evaluate_every = 50, .save_every_rounds = 1}, notes.listeners());
  EXPECT_EQ(result.outcome, Outcome::diverged);
  ASSERT_FALSE(notes.positions.empty());
  EXPECT_LT(notes.positions.back().round, 10) << "by then all is infinite";
}

TEST(Run, GoesOnAfterADivergenceWhenAskedToAndTellsOfItOnce) {
  const Instance instance = quiet();
  const auto problem = instance.problem();
  AlgorithmOptions options = instance.options();
  options.local_rate = 50;
  Trial trial("d-sgd", *problem, instance.mixing(), options);
  Notes notes;
  const RunResult result = run<double>(
      trial.algorithm(), *problem, trial.network(),
      {.rounds = 2000, .evaluate_every = 10, .stop_at_divergence = false}, notes.listeners());
  EXPECT_EQ(result.outcome, Outcome::finished);
  EXPECT_EQ(result.last.round, 2000);
  EXPECT_FALSE(std::isfinite(result.last.loss));
  EXPECT_TRUE(contains(result.diagnosis, "diverged by round 10:"));
}

TEST(Run, MeasuresDivergenceByTheLossAtTheStart) {
  Notes notes;
  Instance instance = quiet();
  const auto problem = instance.problem();
  AlgorithmOptions options = instance.options();
  options.local_rate = 50;
  Trial trial("d-sgd", *problem, instance.mixing(), options);
  const RunResult result =
      run<double>(trial.algorithm(), *problem, trial.network(),
                  {.rounds = 2000, .divergence_factor = 1e200}, notes.listeners());
  EXPECT_EQ(result.outcome, Outcome::diverged);
  EXPECT_GT(result.last.loss, 1e200 * (1 + notes.rows.front().loss));
  EXPECT_GT(notes.rows[notes.rows.size() - 2].loss, 1e6 * (1 + notes.rows.front().loss));
}

// The bytes of a run are its own, however often its network was used before.
TEST(Run, MetersItsOwnBytes) {
  const Instance instance = quiet();
  const auto problem = instance.problem();
  LocalNetwork network(instance.mixing());
  const auto bytes_of = [&](const char* kind, Round rounds) {
    const auto algorithm =
        make_algorithm<double>(kind, *problem, network, {.local_steps = 2, .local_rate = 1e-3});
    return run(*algorithm, *problem, network, {.rounds = rounds}).last.bytes_total;
  };
  // A ring of five nodes: so many vectors of three doubles over five edges, both ways.
  const Bytes vector = Bytes{2} * 5 * 3 * sizeof(double);
  EXPECT_EQ(bytes_of("k-gt", 4), 8 * vector);
  EXPECT_EQ(bytes_of("d-sgd", 4), 4 * vector);
  EXPECT_EQ(bytes_of("k-gt", 4), 8 * vector);
}

TEST(Run, NamesItsOutcomes) {
  EXPECT_EQ(name_of(Outcome::finished), "finished");
  EXPECT_EQ(name_of(Outcome::diverged), "diverged");
  EXPECT_EQ(name_of(Outcome::interrupted), "interrupted");
}

}  // namespace
}  // namespace driftless::testing
