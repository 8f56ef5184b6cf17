#include <gtest/gtest.h>

#include "tests/program/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless::testing {
namespace {

class Topology : public ::testing::Test {
 protected:
  Finished topology(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "topology");
    return run_program(arguments, folder_.path());
  }

  TemporaryFolder folder_;
};

void expect_line(const Finished& run, const std::string& line) {
  EXPECT_NE(("\n" + run.out).find("\n" + line + "\n"), std::string::npos) << line << " is not in:\n"
                                                                          << run.out << run.err;
}

// W has 1/3 everywhere: λ_k = 1/3 + 2/3 cos(2πk/10).
TEST_F(Topology, TellsTheClosedFormsOfARing) {
  const Finished run = topology({"ring", "--nodes", "10"});
  EXPECT_EQ(run.exit_code, 0);
  expect_line(run, "nodes           10");
  expect_line(run, "edges           10");
  expect_line(run, "λ2              0.8726779962");
  expect_line(run, "λn              -0.3333333333");
  expect_line(run, "p               0.238433");
}

TEST_F(Topology, WritesAMatrixThatItReadsBackTheSame) {
  const Finished made = topology({"torus", "--nodes", "12", "--write", "w.mtx"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const Finished read = topology({"--matrix", "w.mtx"});
  EXPECT_EQ(read.exit_code, 0) << read.err;
  for (const char* line : {"nodes           12", "λ2              0.6", "λn              -0.4",
                           "p               0.64"}) {
    expect_line(made, line);
    expect_line(read, line);
  }
}

TEST_F(Topology, WarnsWhereD2AndLedWouldDiverge) {
  EXPECT_NE(topology({"torus", "--nodes", "16"}).out.find("lazy = true"), std::string::npos);
  EXPECT_EQ(topology({"complete", "--nodes", "16"}).out.find("lazy = true"), std::string::npos);
}

TEST_F(Topology, RefusesWhatCannotBe) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"hypercube", "--nodes", "10"},
           {"rnig", "--nodes", "10"},
           {"ring"},
           {"ring", "--nodes", "0"},
           {"ring", "--nodes", "10", "--degree", "4"},
           {"ring", "--nodes", "10", "--seed", "3"},
           {"erdos_renyi", "--nodes", "10", "--seed", "-3"},
           {"--matrix", "nowhere.mtx"},
           {"ring", "--nodes", "4", "--write", "no/such/folder/w.mtx"}}) {
    const Finished run = topology(arguments);
    EXPECT_EQ(run.exit_code, 2) << arguments.front();
    EXPECT_NE(run.err, "") << arguments.front();
    EXPECT_EQ(run.out, "") << arguments.front();
  }
}

}  // namespace
}  // namespace driftless::testing
