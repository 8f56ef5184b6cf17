// Problem file, W file and config in, nodes.npy and metrics.csv out: the golden trajectories as a
// user meets them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "driftless/algorithm/registry.hpp"
#include "tests/program/program.hpp"
#include "tests/support/golden.hpp"

namespace driftless::testing {
namespace {

std::string problem_file(const GoldenCase& c) {
  const LeastSquaresData data = golden().problem(c);
  nlohmann::json problem;
  for (const auto& A : data.A) {
    nlohmann::json rows;
    for (Index r = 0; r < A.rows(); ++r) {
      rows.push_back(std::vector<double>(A.row(r).begin(), A.row(r).end()));
    }
    problem["A"].push_back(rows);
  }
  for (const auto& b : data.b) problem["b"].push_back(std::vector<double>(b.begin(), b.end()));
  for (const auto& x : data.x0) problem["x0"].push_back(std::vector<double>(x.begin(), x.end()));
  if (!c.distinct_starts) problem["x0"] = nlohmann::json(problem["x0"][0]);
  return problem.dump();
}

std::string mixing_file(const GoldenCase& c) {
  const Eigen::MatrixXd& W = golden().mixings.at(c.mixing);
  std::string text = fmt::format("%%MatrixMarket matrix array real general\n{0} {0}\n", W.rows());
  for (const double weight : W.reshaped()) text += fmt::format("{}\n", weight);
  return text;
}

std::string config_file(const GoldenCase& c) {
  const AlgorithmKind& kind = *find_algorithm_kind(c.kind);
  std::string text = fmt::format(
      "[problem]\nfile = 'problem.json'\nnoise = 0\n[network]\nfile = 'w.mtx'\n"
      "[run]\nrounds = {}\n[algorithm]\nkind = '{}'\nlocal_steps = {}\nlocal_rate = {}\n",
      c.rounds, c.kind, c.local_steps, c.local_rate);
  if (kind.communication_rate)
    text += fmt::format("communication_rate = {}\n", c.communication_rate);
  if (c.gradient_start) text += "initial_correction = 'gradient'\n";
  if (kind.has("global_every")) text += fmt::format("global_every = {}\n", c.global_every);
  if (c.lazy) text += "lazy = true\n";
  return text;
}

void write_files(const TemporaryFolder& folder, const GoldenCase& c) {
  folder.write("problem.json", problem_file(c));
  folder.write("w.mtx", mixing_file(c));
  folder.write("golden.toml", config_file(c));
}

// Every round's metric to 1e-10 of its largest value; below 1e-28 are squares of rounding errors.
void expect_column(const Table& metrics, std::string_view column, const GoldenCase& c,
                   double GoldenCase::Metrics::*golden_value) {
  ASSERT_EQ(metrics.rows.size(), c.metrics.size());
  double largest = 0;
  for (const auto& row : c.metrics) largest = std::max(largest, std::abs(row.*golden_value));
  for (std::size_t t = 0; t < c.metrics.size(); ++t) {
    EXPECT_NEAR(metrics.number(t, column), c.metrics[t].*golden_value, 1e-10 * largest + 1e-28)
        << column << " after " << t << " rounds";
  }
}

// The program draws its own noise and has no misprinted method.
std::vector<std::size_t> cases_for_the_program() {
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < golden().cases.size(); ++k) {
    const GoldenCase& c = golden().cases[k];
    if (!c.noisy && !c.kind.empty()) chosen.push_back(k);
  }
  return chosen;
}

class GoldenProgram : public ::testing::TestWithParam<std::size_t> {};

TEST_P(GoldenProgram, EndsAtTheGoldenModels) {
  const GoldenCase& c = golden().cases[GetParam()];
  const TemporaryFolder folder;
  write_files(folder, c);
  const Finished run = run_program({"run", "golden.toml", "--out", "out"}, folder.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;

  const Eigen::MatrixXd nodes = read_npy(folder / "out/nodes.npy");
  const Eigen::MatrixXd& expected = c.X.back();
  ASSERT_EQ(nodes.rows(), expected.rows());
  ASSERT_EQ(nodes.cols(), expected.cols());
  EXPECT_LE((nodes - expected).cwiseAbs().maxCoeff(), 1e-10 * expected.cwiseAbs().maxCoeff());

  const Table metrics = read_csv(folder / "out/metrics.csv");
  expect_column(metrics, "suboptimality", c, &GoldenCase::Metrics::suboptimality);
  expect_column(metrics, "grad_norm2", c, &GoldenCase::Metrics::grad_norm2);
  expect_column(metrics, "consensus", c, &GoldenCase::Metrics::consensus);
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenProgram, ::testing::ValuesIn(cases_for_the_program()),
                         [](const auto& tested) {
                           std::string name = golden().cases[tested.param].name;
                           for (char& letter : name) {
                             if (std::isalnum(static_cast<unsigned char>(letter)) == 0)
                               letter = '_';
                           }
                           return name;
                         });

TEST(GoldenProgramCases, AreAllMethodsStartsAndMixings) {
  std::set<std::string> kinds;
  std::set<std::string> distinct;
  std::set<std::string> mixings;
  int gradient_starts = 0;
  for (const std::size_t k : cases_for_the_program()) {
    const GoldenCase& c = golden().cases[k];
    kinds.insert(c.kind);
    mixings.insert(c.mixing);
    if (c.distinct_starts) distinct.insert(c.kind);
    if (c.gradient_start) ++gradient_starts;
  }
  EXPECT_EQ(kinds.size(), algorithm_kinds().size());
  EXPECT_EQ(distinct.size(), algorithm_kinds().size() - 1) << "all but scaffold";
  EXPECT_EQ(gradient_starts, 6) << "all that have a correction";
  EXPECT_GE(mixings.size(), 5U);
}

TEST(Scaffold, RefusesDistinctStartsBeforeItWritesAnything) {
  GoldenCase c = *std::ranges::find(golden().cases, "scaffold", &GoldenCase::kind);
  c.distinct_starts = true;
  const TemporaryFolder folder;
  write_files(folder, c);
  const Finished run = run_program({"run", "golden.toml", "--out", "out"}, folder.path());
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
  for (const char* word : {"scaffold", "problem.json", "x0"}) {
    EXPECT_NE(run.err.find(word), std::string::npos) << word << " is not in: " << run.err;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

}  // namespace
}  // namespace driftless::testing
