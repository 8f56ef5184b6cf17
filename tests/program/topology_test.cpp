#include <gtest/gtest.h>

#include <filesystem>

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

TEST_F(Topology, TellsOfLinksThatAverageInAPeriod) {
  const Finished run = topology({"one_peer_exponential", "--nodes", "16"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  for (const char* line :
       {"topology        one_peer_exponential", "nodes           16", "period          4 rounds",
        "links a round   min 8, mean 8, max 8", "most peers      1 of a node in a round",
        "p               1 over a period, which gives the exact average",
        "rounds to halve 4: a period reaches consensus"}) {
    expect_line(run, line);
  }
}

TEST_F(Topology, TellsThePeersOfABaseGraph) {
  const Finished run = topology({"base_graph", "--nodes", "9", "--peers", "2"});
  expect_line(run, "topology        base_graph, peers 2");
  expect_line(run, "period          2 rounds");
  expect_line(run, "links a round   min 9, mean 9, max 9");
  expect_line(run, "most peers      2 of a node in a round");
  expect_line(topology({"base_graph", "--nodes", "9"}), "topology        base_graph, peers 1");
}

// p of one round is n / (2 (n − 1)) where n is even.
TEST_F(Topology, TellsTheExpectedPOfLinksThatAreDrawn) {
  const Finished run = topology({"random_matching", "--nodes", "10", "--seed", "3"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  expect_line(run, "topology        random_matching, seed 3");
  expect_line(run, "period          none: links are drawn anew every round");
  expect_line(run, "links a round   min 5, mean 5, max 5");
  expect_line(run, "p               0.555556 in expectation");
  expect_line(run, "rounds to halve 1");
  // 3/8 n / (n − 1) of (I + W) / 2
  const Finished lazy =
      topology({"random_matching", "--nodes", "10", "--weights", "lazy_metropolis"});
  expect_line(lazy, "topology        random_matching, seed 1, lazy");
  expect_line(lazy, "p               0.416667 in expectation");
}

// Pairs of a ring of eight, then the pairs between them: p is 1 − cos² (2π/8).
TEST_F(Topology, TellsOfTheLinksOfAFile) {
  folder_.write("rounds.csv",
                "round,a,b\n0,0,1\n0,2,3\n0,4,5\n0,6,7\n1,1,2\n1,3,4\n1,5,6\n1,7,0\n3,0,1\n");
  const Finished run = topology({"--rounds", "rounds.csv"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  expect_line(run, "topology        rounds.csv");
  expect_line(run, "nodes           8");
  expect_line(run, "period          4 rounds");
  expect_line(run, "links a round   min 0, mean 2.25, max 4");
  folder_.write("pairs.csv", "round,a,b\n0,0,1\n0,2,3\n0,4,5\n0,6,7\n1,1,2\n1,3,4\n1,5,6\n1,7,0\n");
  const Finished pairs = topology({"--rounds", "pairs.csv"});
  expect_line(pairs, "p               0.5 over a period, 0.292893 a round on average");
  expect_line(pairs, "rounds to halve 2");
  EXPECT_EQ(pairs.out.find("warning"), std::string::npos);
}

TEST_F(Topology, WarnsWhereNodesNeverAgree) {
  folder_.write("rounds.csv", "round,a,b\n0,0,1\n1,2,3\n");
  const Finished run = topology({"--rounds", "rounds.csv", "--nodes", "5"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  expect_line(run, "p               0 over a period, 0 a round on average");
  expect_line(run, "rounds to halve never");
  expect_line(run, "warning: no links of any round lead from node 0 to node 2: they never agree");
  folder_.write("swaps.csv", "round,a,b,weight\n0,0,1,1\n1,1,2,1\n");
  expect_line(topology({"--rounds", "swaps.csv"}),
              "warning: p = 0: nodes only swap and never agree; mix with (I + W) / 2");
}

// Two nodes with the weight 1/2: W² is W, which is there or is not.
TEST_F(Topology, TellsTheExpectedPWhereLinksDrop) {
  const Finished run = topology({"path", "--nodes", "2", "--drop", "0.25"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  expect_line(run, "p               1");
  expect_line(run, "p with drops    0.75 in expectation, each link down in 25 % of the rounds");
  expect_line(run, "to halve then   1");
  folder_.write("edges.txt", "0 1\n1 2\n");
  expect_line(topology({"--edges", "edges.txt", "--drop", "1"}), "to halve then   never");
  EXPECT_EQ(topology({"path", "--nodes", "2"}).out.find("drops"), std::string::npos);
}

TEST_F(Topology, SaysWhyLinksThatChangeAreNoFixedGraph) {
  folder_.write("rounds.csv", "round,a,b\n0,0,1\n");
  const auto refuses = [&](std::vector<std::string> arguments, const std::string& why) {
    const Finished run = topology(std::move(arguments));
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.err.find(why), std::string::npos) << run.err;
  };
  refuses({"base_graph", "--nodes", "4", "--write", "w.mtx"},
          "--write is for a fixed graph, and the links of base_graph change: a Matrix Market file "
          "holds one W");
  refuses({"random_matching", "--nodes", "4", "--message", "1kB"},
          "--message is for a fixed graph, and the links of random_matching change");
  refuses({"--rounds", "rounds.csv", "--drop", "0.1"},
          "--drop is for a fixed graph, and the links of rounds.csv change");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "w.mtx"));
}

TEST_F(Topology, OffersGraphsAndSequencesAlike) {
  const Finished help = topology({"--help"});
  for (const char* text : {"ring, path", "one_peer_exponential, random_matching, base_graph",
                           "--peers N", "--rounds FILE", "--drop SHARE"}) {
    EXPECT_NE(help.out.find(text), std::string::npos) << text;
  }
}

TEST_F(Topology, RefusesWhatCannotBe) {
  folder_.write("rounds.csv", "round,a,b\n0,0,1\n");
  folder_.write("bad.csv", "round,a,b\n0,0,1\n0,1,1\n");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"hypercube", "--nodes", "10"},
           {"rnig", "--nodes", "10"},
           {"ring"},
           {"ring", "--nodes", "0"},
           {"ring", "--nodes", "10", "--degree", "4"},
           {"ring", "--nodes", "10", "--seed", "3"},
           {"erdos_renyi", "--nodes", "10", "--seed", "-3"},
           {"--matrix", "nowhere.mtx"},
           {"one_peer_exponential"},
           {"one_peer_exponential", "--nodes", "4", "--peers", "2"},
           {"one_peer_exponential", "--nodes", "4", "--seed", "2"},
           {"base_graph", "--nodes", "4", "--degree", "2"},
           {"base_graph", "--nodes", "4", "--peers", "4"},
           {"base_graph", "--nodes", "4", "--peers", "0"},
           {"ring", "--nodes", "4", "--peers", "2"},
           {"ring", "--nodes", "4", "--drop", "1.5"},
           {"ring", "--rounds", "rounds.csv"},
           {"--rounds", "nowhere.csv"},
           {"--rounds", "bad.csv"},
           {"--rounds", "rounds.csv", "--matrix", "w.mtx"},
           {"--rounds", "rounds.csv", "--peers", "1"},
           {"--rounds", "rounds.csv", "--nodes", "1"},
           {"ring", "--nodes", "4", "--write", "no/such/folder/w.mtx"}}) {
    const Finished run = topology(arguments);
    EXPECT_EQ(run.exit_code, 2) << arguments.front();
    EXPECT_NE(run.err, "") << arguments.front();
    EXPECT_EQ(run.out, "") << arguments.front();
  }
}

}  // namespace
}  // namespace driftless::testing
