#include "driftless/experiment/tune.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "driftless/base/error.hpp"

namespace driftless {
namespace {

TuneConfig tune_by(const std::string& metric, const std::string& direction,
                   const std::string& read) {
  TuneConfig tune;
  tune.metric = metric;
  tune.direction = direction;
  tune.read = read;
  tune.repetitions = 1;
  return tune;
}

// A run with these losses, a round and 100 bytes apart.
RunScore run_score(const TuneConfig& tune, const std::vector<double>& losses,
                   Outcome outcome = Outcome::finished) {
  RunScore score(tune);
  Metrics row;
  for (const double loss : losses) {
    row.loss = loss;
    score.add(row);
    ++row.round;
    row.bytes_total += 100;
  }
  score.end(outcome);
  return score;
}

const std::vector<double> curve{9, 2, 5, 3, 4};

TEST(RunScore, ReadsTheLastRow) {
  EXPECT_DOUBLE_EQ(run_score(tune_by("loss", "min", "last"), curve).value(), 4);
}

TEST(RunScore, ReadsTheBestRowInItsDirection) {
  EXPECT_DOUBLE_EQ(run_score(tune_by("loss", "min", "best"), curve).value(), 2);
  EXPECT_DOUBLE_EQ(run_score(tune_by("loss", "max", "best"), curve).value(), 9);
}

TEST(RunScore, ReadsTheMeanOfTheLastRows) {
  TuneConfig tune = tune_by("loss", "min", "mean");
  tune.evaluations = 3;
  EXPECT_DOUBLE_EQ(run_score(tune, curve).value(), 4);
  tune.evaluations = 99;
  EXPECT_DOUBLE_EQ(run_score(tune, curve).value(), 23.0 / 5) << "of all there are";
}

TEST(RunScore, CountsRoundsAndBytesToATargetThatIsHeld) {
  TuneConfig tune = tune_by("loss", "min", "rounds_to_target");
  tune.target = 5;
  EXPECT_DOUBLE_EQ(run_score(tune, curve).value(), 1) << "equal counts";
  tune.target = 4;
  EXPECT_DOUBLE_EQ(run_score(tune, curve).value(), 3) << "below in round 1, but not for good";
  tune.read = "bytes_to_target";
  EXPECT_DOUBLE_EQ(run_score(tune, curve).value(), 300);
  tune.target = 3;
  EXPECT_EQ(run_score(tune, curve).standing(), Standing::not_reached);
  tune.direction = "max";
  EXPECT_DOUBLE_EQ(run_score(tune, curve).value(), 200) << "at 3 or above from round 2 on";
}

TEST(RunScore, TellsHowTheRunEnded) {
  const TuneConfig tune = tune_by("loss", "min", "last");
  EXPECT_EQ(run_score(tune, {1}).standing(), Standing::scored);
  EXPECT_EQ(run_score(tune, {1}, Outcome::diverged).standing(), Standing::diverged);
  EXPECT_EQ(run_score(tune, {1}, Outcome::interrupted).standing(), Standing::not_run);
  EXPECT_EQ(RunScore(tune).standing(), Standing::not_run);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(run_score(tune, {1, infinity}).standing(), Standing::diverged);
}

TEST(RunScore, RefusesAMetricThatTheRowsDoNotHave) {
  EXPECT_THROW(run_score(tune_by("test_accuracy", "max", "last"), {1}), ConfigError);
}

// Of one combination, whose candidates have so many of the scores each.
std::optional<std::size_t> choice(const TuneConfig& tune, const std::vector<RunScore>& scores,
                                  std::size_t repetitions = 1) {
  std::vector<CandidateScore> candidates;
  for (std::size_t k = 0; k < scores.size(); k += repetitions)
    candidates.push_back(score_of(std::span(scores).subspan(k, repetitions)));
  return best_of(candidates, tune);
}

TEST(Choose, TakesTheBestInItsDirection) {
  for (const auto& [direction, best] : {std::pair{"min", 1U}, std::pair{"max", 2U}}) {
    const TuneConfig tune = tune_by("loss", direction, "last");
    EXPECT_EQ(choice(tune, {run_score(tune, {2}), run_score(tune, {1}), run_score(tune, {3})}),
              best);
  }
}

TEST(Choose, TakesTheFirstOfEquals) {
  const TuneConfig tune = tune_by("loss", "min", "last");
  EXPECT_EQ(choice(tune, {run_score(tune, {2}), run_score(tune, {1}), run_score(tune, {1})}), 1U);
}

TEST(Choose, PassesOverWhatDiverged) {
  const TuneConfig tune = tune_by("loss", "min", "last");
  const RunScore diverged = run_score(tune, {0.1}, Outcome::diverged);
  EXPECT_EQ(choice(tune, {diverged, run_score(tune, {5}), diverged}), 1U);
}

TEST(Choose, TakesNothingWhereAllDiverged) {
  const TuneConfig tune = tune_by("loss", "min", "last");
  const RunScore diverged = run_score(tune, {0.1}, Outcome::diverged);
  EXPECT_EQ(choice(tune, {diverged, diverged}), std::nullopt);
}

// A method whose tuning was cut short would not be compared fairly.
TEST(Choose, TakesNothingWhereAPointWasNotRun) {
  const TuneConfig tune = tune_by("loss", "min", "last");
  EXPECT_EQ(choice(tune, {run_score(tune, {1}), RunScore(tune)}), std::nullopt);
}

TEST(Choose, TakesTheFewestRoundsWhateverTheDirection) {
  TuneConfig tune = tune_by("loss", "max", "rounds_to_target");
  tune.target = 5;
  EXPECT_EQ(choice(tune, {run_score(tune, {0, 0, 6}), run_score(tune, {0, 6, 6})}), 1U);
}

TEST(Choose, TakesTheBestLastRowOfThoseThatReachTheTargetAtOnce) {
  TuneConfig tune = tune_by("loss", "min", "rounds_to_target");
  tune.target = 5;
  EXPECT_EQ(choice(tune, {run_score(tune, {9, 5, 4}), run_score(tune, {9, 4, 3})}), 1U);
  EXPECT_EQ(choice(tune, {run_score(tune, {9, 4, 3}), run_score(tune, {9, 5, 3})}), 0U);
}

TEST(Choose, PrefersReachingTheTargetToAnythingElse) {
  TuneConfig tune = tune_by("loss", "min", "rounds_to_target");
  tune.target = 5;
  const RunScore late = run_score(tune, {9, 9, 9, 9, 9, 9, 9, 5});
  const RunScore never = run_score(tune, {6, 6});
  EXPECT_EQ(choice(tune, {never, late}), 1U);
}

TEST(Choose, TakesTheBestLastRowWhereNoneReachesTheTarget) {
  TuneConfig tune = tune_by("loss", "min", "bytes_to_target");
  tune.target = 1;
  const RunScore diverged = run_score(tune, {0.1}, Outcome::diverged);
  EXPECT_EQ(choice(tune, {run_score(tune, {3}), diverged, run_score(tune, {2})}), 2U);
  tune.direction = "max";
  tune.target = 9;
  EXPECT_EQ(choice(tune, {run_score(tune, {2}), diverged, run_score(tune, {3})}), 2U);
}

TEST(Choose, GoesByTheMeanAndTheWorstOfTheRepetitions) {
  const TuneConfig tune = tune_by("loss", "min", "last");
  const RunScore diverged = run_score(tune, {0.1}, Outcome::diverged);
  EXPECT_EQ(choice(tune,
                   {run_score(tune, {1}), run_score(tune, {9}), run_score(tune, {4}),
                    run_score(tune, {4}), run_score(tune, {0}), diverged},
                   2),
            1U);
}

}  // namespace
}  // namespace driftless
