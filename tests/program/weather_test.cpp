// [faults] and [compression] as a user meets them: the same bits on any number of threads and ranks
// and across a stop, what a run tells of the network, and what is refused.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "driftless/base/file.hpp"
#include "tests/program/program.hpp"

namespace driftless::testing {
namespace {

const std::string common =
    "[problem]\ndim = 8\nnoise = 0.1\n[network]\nnodes = 6\nweights = 'lazy_metropolis'\n"
    "[algorithm]\nkind = 'k-gt'\nlocal_steps = 3\nlocal_rate = 0.02\n"
    "[run]\nrounds = 40\nevaluate_every = 5\n[checkpoint]\nevery_rounds = 10\n";
const std::string all_faults =
    "[faults]\ndrop = 0.2\nburst = 3\npause = 0.05\npause_rounds = 2\ncrash = 0.02\njoin_after = "
    "6\n"
    "late = 0.2\nlate_rounds = 4\nslow = 0.3\n";
const std::string packed = "[compression]\ncodec = 'qsgd'\nunbiased = true\nlevels = 16\n";

class WeatherProgram : public ::testing::Test {
 protected:
  void write(const std::string& text) { folder_.write("w.toml", text); }
  Finished run(const std::string& out, std::vector<std::string> more = {}, int ranks = 0) {
    std::vector<std::string> arguments{"run", "w.toml", "--out", out};
    arguments.insert(arguments.end(), more.begin(), more.end());
    Finished finished = run_program(arguments, folder_.path(), ranks);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    return finished;
  }
  std::string refusal(const std::string& text) {
    write(text);
    const Finished finished = run_program({"run", "w.toml", "--out", "out"}, folder_.path());
    EXPECT_EQ(finished.exit_code, 2) << finished.out;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
    return finished.err;
  }
  void expect_same(const std::string& one, const std::string& other) {
    for (const char* file : {"nodes.npy", "model.npy"}) {
      EXPECT_EQ(read_file(folder_ / one / file), read_file(folder_ / other / file)) << other;
    }
    expect_same_metrics(folder_ / one / "metrics.csv", folder_ / other / "metrics.csv");
  }
  nlohmann::json summary(const std::string& out) {
    return nlohmann::json::parse(read_file(folder_ / out / "summary.json"));
  }

  const TemporaryFolder folder_;
};

TEST_F(WeatherProgram, GivesTheSameBitsOnAnyThreadsAndRanks) {
  for (const std::string& conditions : {all_faults, packed}) {
    write(common + conditions);
    run("one", {"--force", "--threads", "1"});
    run("three", {"--force", "--threads", "3"});
    run("ranks", {"--force"}, 3);
    expect_same("one", "three");
    expect_same("one", "ranks");
  }
}

TEST_F(WeatherProgram, GoesOnBitForBitOnAnotherNumberOfRanks) {
  for (const std::string& conditions : {all_faults, packed}) {
    write(common + conditions);
    run("whole", {"--force"});
    run("parts", {"--force", "--set", "run.rounds=15"}, 2);
    run("parts", {"--resume"}, 3);
    expect_same("whole", "parts");
    EXPECT_EQ(summary("whole")["faults"], summary("parts")["faults"]);
    EXPECT_EQ(summary("whole")["traffic"], summary("parts")["traffic"]);
  }
}

TEST_F(WeatherProgram, TellsWhoAndWhatWasThere) {
  folder_.write("trace.csv",
                "round,event,node,peer,value\n"
                "2,link_down,0,1,\n4,link_up,0,1,\n6,crash,3,,\n9,join,3,,\n"
                "10,pause,5,,\n12,resume,5,,\n12,late,0,1,2\n");
  write(common + "[faults]\ntrace = 'trace.csv'\n");
  run("out", {"--set", "run.evaluate_every=1", "--set", "run.rounds=20"});
  const Table metrics = read_csv(folder_ / "out/metrics.csv");
  const auto column = [&](const char* name) {
    std::vector<double> values;
    for (std::size_t row = 1; row < metrics.rows.size(); ++row) {
      values.push_back(metrics.number(row, name));
    }
    return values;  // value k is of round k
  };
  const std::vector<double> members = column("members");
  const std::vector<double> links = column("links_up");
  for (std::size_t t = 0; t < 20; ++t) {
    const bool lost = t >= 6 && t < 9;
    EXPECT_EQ(members[t], lost ? 5 : 6) << t;
    double expected = 1;  // of six links; of the four that are left where node 3 is lost
    if (t == 2 || t == 3) expected = 5.0 / 6;
    if (t == 10 || t == 11) expected = 4.0 / 6;
    EXPECT_DOUBLE_EQ(links[t], expected) << t;
  }
  EXPECT_EQ(column("late_letters").back(), 1);
  EXPECT_LT(column("correction_sum").back(), 1e-12);
  const nlohmann::json faults = summary("out")["faults"];
  EXPECT_EQ(faults,
            (nlohmann::json{
                {"drops", 2}, {"pauses", 2}, {"crashes", 1}, {"joins", 1}, {"late_letters", 1}}));
}

// Six nodes of which one is lost for good: the others end where the five of them would alone.
TEST_F(WeatherProgram, MeasuresTheSuboptimalityOfTheMembers) {
  folder_.write("trace.csv", "round,event,node,peer,value\n5,crash,5,,\n");
  write(common + "[faults]\ntrace = 'trace.csv'\n");
  for (const char* kind : {"k-gt", "led", "d-sgd"}) {
    run("out", {"--force", "--set", "problem.noise=0", "--set", "run.rounds=3000", "--set",
                std::string("algorithm.kind=") + kind});
    const Table metrics = read_csv(folder_ / "out/metrics.csv");
    const double last = metrics.number(metrics.rows.size() - 1, "suboptimality");
    if (std::string_view(kind) == "d-sgd") {
      EXPECT_GT(last, 1e-6);
    } else {
      EXPECT_LT(last, 1e-20) << kind;
      EXPECT_GE(last, 0) << kind;
    }
  }
}

TEST_F(WeatherProgram, DrawsOtherWeatherForEveryRepetitionAndTheSameForEveryMethod) {
  write(common + "[faults]\ndrop = 0.3\n");
  run("out", {"--set", "run.repetitions=2", "--set", "run.rounds=30"});
  run("led", {"--set", "algorithm.kind=led", "--set", "run.rounds=30"});
  EXPECT_NE(summary("out/rep-1")["faults"], summary("out/rep-2")["faults"]);
  EXPECT_EQ(summary("out/rep-1")["faults"], summary("led")["faults"]);
  EXPECT_NE(read_file(folder_ / "out/rep-2/config.toml").find("drop = 0.3"), std::string::npos);
}

TEST_F(WeatherProgram, MetersLettersAsTheyAreEncoded) {
  write(common + "[compression]\ncodec = 'int4'\n");
  run("out", {"--set", "run.rounds=10"});
  // 6 links, both ways, 10 rounds, two rows of 8 numbers: 4 bytes of codes and one exponent each.
  EXPECT_EQ(summary("out")["traffic"]["bytes_total"], 6 * 2 * 10 * 2 * 5);
}

TEST_F(WeatherProgram, RefusesWhatDoesNotGoTogether) {
  struct Case {
    const char* text;
    std::vector<const char*> words;
  };
  folder_.write("trace.csv", "round,event,node,peer,value\n5,crash,5,,\n");
  folder_.write("link.csv", "round,event,node,peer,value\n\n5,link_down,0,3,\n");
  for (const Case& each : std::vector<Case>{
           {"[faults]\ndrop = 0.1\n[compression]\ncodec = 'int4'\n",
            {"codec = \"int4\"", "faults.drop", "builds on all letters"}},
           {"[faults]\ntrace = 'trace.csv'\n[compression]\ncodec = 'int4'\n",
            {"trace.csv:2: crash", "codec = \"int4\""}},
           {"[faults]\ntrace = 'link.csv'\n", {"link.csv:3", "nodes 0 and 3", "no such link"}},
           {"[faults]\ncrash = 0.1\n[compression]\ncodec = 'lz4'\n",
            {"compression.codec = \"lz4\"", "expected one of none, int3"}},
           {"[faults]\ndrop = 1.5\n", {"faults.drop = 1.5", "at most 1"}},
           {"[faults]\ndorp = 0.1\n", {"faults.dorp", "did you mean faults.drop?"}}}) {
    const std::string told = refusal(common + each.text);
    for (const char* word : each.words) {
      EXPECT_NE(told.find(word), std::string::npos) << word << " is not in: " << told;
    }
  }
  const std::string server = refusal(
      "[faults]\ncrash = 0.1\nlate = 0.1\n[algorithm]\nkind = 'fedavg'\nlocal_rate = 0.1\n"
      "[run]\nrounds = 9\n");
  EXPECT_NE(server.find("2 faults"), std::string::npos) << server;
  EXPECT_NE(server.find("fedavg sends through a server"), std::string::npos) << server;
}

// The mean of all gradients holds those of who is lost later, and no ledger tells them apart.
TEST_F(WeatherProgram, RefusesToLoseNodesWhoseGradientsAreInAllCorrections) {
  folder_.write("trace.csv", "round,event,node,peer,value\n2,pause,1,,\n5,crash,5,,\n");
  for (const char* kind : {"k-gt", "periodical-gt", "periodical-gt-full"}) {
    const std::string method =
        std::string("[algorithm]\nlocal_rate = 0.02\ninitial_correction = 'gradient'\nkind = '") +
        kind + "'\n[run]\nrounds = 9\n";
    for (const char* faults : {"crash = 0.1", "trace = 'trace.csv'"}) {
      const std::string told = refusal(method + "[faults]\n" + faults + "\n");
      EXPECT_NE(told.find("initial_correction = \"gradient\""), std::string::npos) << told;
      EXPECT_NE(told.find("leave it at \"zero\""), std::string::npos) << told;
    }
  }
  write(common + "[faults]\npause = 0.1\ndrop = 0.1\nlate = 0.1\n");
  run("out", {"--set", "algorithm.initial_correction=gradient"});
}

// The length of rows decides, so the problem must be there; still nothing is written.
TEST_F(WeatherProgram, RefusesUnbiasedLettersThatSayTooLittle) {
  const std::string levels = "[compression]\ncodec = 'qsgd'\nunbiased = true\nlevels = 16\n";
  const auto with = [&](const char* kind, int dim) {
    return "problem = {dim = " + std::to_string(dim) +
           "}\n[algorithm]\nlocal_rate = 0.02\nkind = '" + kind + "'\n[run]\nrounds = 9\n" + levels;
  };
  EXPECT_NE(refusal(with("k-gt", 1156)).find("or take 17 levels or more"), std::string::npos);
  EXPECT_NE(refusal(with("led", 200)).find("led sums up what letters leave out: take int4"),
            std::string::npos);
  write(with("k-gt", 1024));
  run("out");
}

TEST_F(WeatherProgram, WarnsWhereEveryLinkIsAlwaysDown) {
  write(common + "[faults]\ndrop = 1\n");
  const Finished finished = run("out");
  EXPECT_NE(finished.err.find("faults.drop = 1: every link is down in every round"),
            std::string::npos)
      << finished.err;
}

// Where they were seen to diverge (LED from shares of 0.3 with plain weights, 0.5 with lazy ones),
// and not where they were seen to converge.
TEST_F(WeatherProgram, WarnsWhereMoreLettersAreLateThanTheMethodBears) {
  struct Case {
    const char *kind, *weights, *faults, *words;  // no words: no warning
  };
  for (const auto& [kind, weights, faults, words] : std::vector<Case>{
           {"led", "metropolis", "late = 0.2", nullptr},
           {"led", "metropolis", "late = 0.3", "more than 0.2 of them are late"},
           {"led", "lazy_metropolis", "late = 0.3", nullptr},
           {"exact-diffusion", "metropolis", "late = 0.5", "more than 0.3 of them are late"},
           {"k-gt", "metropolis", "late = 0.5", nullptr},
           {"k-gt", "metropolis", "late = 1", "network.weights = \"lazy_metropolis\" bears it"},
           {"k-gt", "lazy_metropolis", "late = 1\nlate_rounds = 3", nullptr},
           {"k-gt", "lazy_metropolis", "late = 1\nlate_rounds = 10", "they bear 3"}}) {
    write("[network]\nnodes = 6\nweights = '" + std::string(weights) +
          "'\n[algorithm]\nlocal_rate = 0.02\nkind = '" + kind +
          "'\n[run]\nrounds = 1\n[faults]\n" + faults + "\n");
    const std::string told = run("out", {"--force"}).err;
    EXPECT_NE(told.find(words == nullptr ? "" : words), std::string::npos) << told;
    EXPECT_EQ(told.find("warning: faults.late") != std::string::npos, words != nullptr)
        << kind << ' ' << weights << ' ' << faults << ": " << told;
  }
}

TEST_F(WeatherProgram, WarnsWherePlainWeightsOfASequenceMakeAMethodDiverge) {
  const auto warned = [&](const std::string& kind, const std::string& network) {
    write("[network]\nnodes = 8\n" + network + "[algorithm]\nlocal_rate = 0.02\nkind = '" + kind +
          "'\n[run]\nrounds = 1\n");
    return run("out", {"--force"}).err.find("may diverge where links change") != std::string::npos;
  };
  for (const char* topology : {"one_peer_exponential", "base_graph"}) {
    const std::string network = std::string("topology = '") + topology + "'\n";
    EXPECT_TRUE(warned("led", network)) << topology;
    EXPECT_TRUE(warned("d2", network)) << topology;
    EXPECT_FALSE(warned("led", network + "weights = 'lazy_metropolis'\n")) << topology;
    EXPECT_FALSE(warned("exact-diffusion", network)) << topology;
    EXPECT_FALSE(warned("k-gt", network)) << topology;
  }
  EXPECT_FALSE(warned("led", "topology = 'exponential'\n"));
}

TEST_F(WeatherProgram, WarnsOfNodesThatNoLinksReach) {
  folder_.write("rounds.csv", "round,a,b\n0,0,1\n1,2,3\n");
  write(
      "[network]\nnodes = 4\nfile = 'rounds.csv'\n[algorithm]\nkind = 'k-gt'\nlocal_rate = 0.02\n"
      "[run]\nrounds = 9\n");
  const Finished finished = run("out");
  EXPECT_NE(finished.err.find("no links of any round lead from node 0 to node 2"),
            std::string::npos)
      << finished.err;
}

}  // namespace
}  // namespace driftless::testing
