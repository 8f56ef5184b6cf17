// `driftless report`: its files, and what it says to folders that are not what they should be.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/program/program.hpp"

namespace driftless::testing {
namespace {

using Texts = std::vector<std::string>;
using nlohmann::json;

class Report : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("sweep.toml", R"([problem]
dim = 3
[network]
nodes = 5
[algorithm]
local_steps = 2
local_rate = 0.01
[run]
rounds = 8
repetitions = 2
target = 1.0
[sweep]
"algorithm.kind" = ["k-gt", "d-sgd"]
)");
    const Finished run = start({"run", "sweep.toml", "--out", "out", "--quiet"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }

  Finished start(const Texts& arguments) const { return run_program(arguments, folder_.path()); }

  // The data that a page holds.
  json data_of(const std::string& page) const {
    const std::string text = contents_of(folder_ / page);
    const std::string begin = "<script id=\"data\" type=\"application/json\">";
    const std::size_t from = text.find(begin) + begin.size();
    return json::parse(text.substr(from, text.find("</script>", from) - from));
  }

  const TemporaryFolder folder_;
};

TEST_F(Report, WritesAPageBesideTheRuns) {
  const Finished report = start({"report", "out"});
  EXPECT_EQ(report.exit_code, 0) << report.err;
  EXPECT_EQ(report.out, "written to out/report.html\n");
  const json data = data_of("out/report.html");
  EXPECT_EQ(data["runs"].size(), 4U);
  ASSERT_EQ(data["groups"].size(), 2U);
  EXPECT_EQ(data["groups"][0]["values"], json({"k-gt"}));
  EXPECT_EQ(data["groups"][0]["curve"]["mean"]["round"], json({0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(data["experiments"][0]["config"], contents_of(folder_ / "sweep.toml"));
  EXPECT_EQ(data["networks"].size(), 1U);
  EXPECT_EQ(data["networks"][0]["edge_list"], "0-1 0-4 1-2 2-3 3-4");
}

// The mean that the page shows is that of the files.
TEST_F(Report, ShowsTheMeansOfItsFiles) {
  ASSERT_EQ(
      start({"report", "out", "--format", "csv", "--metric", "loss", "-o", "loss.csv"}).exit_code,
      0);
  const Table figure = read_csv(folder_ / "loss.csv");
  ASSERT_EQ(figure.rows.size(), 2U * 9);
  for (const std::size_t k : {0U, 1U}) {
    const std::string kind = k == 0 ? "k-gt" : "d-sgd";
    const Table first = read_csv(folder_ / "out" / ("kind=" + kind) / "rep-1/metrics.csv");
    const Table second = read_csv(folder_ / "out" / ("kind=" + kind) / "rep-2/metrics.csv");
    for (std::size_t row = 0; row < 9; ++row) {
      const double mean = (first.number(row, "loss") + second.number(row, "loss")) / 2;
      EXPECT_EQ(figure.text(9 * k + row, "algorithm.kind"), kind);
      EXPECT_NEAR(figure.number(9 * k + row, "loss"), mean, 1e-14 * mean);
      const std::array losses{first.number(row, "loss"), second.number(row, "loss")};
      EXPECT_EQ(figure.number(9 * k + row, "min"), std::ranges::min(losses));
      EXPECT_EQ(figure.number(9 * k + row, "max"), std::ranges::max(losses));
      EXPECT_EQ(figure.number(9 * k + row, "n"), 2);
    }
  }
}

TEST_F(Report, ComparesSeveralFolders) {
  ASSERT_EQ(start({"run", "sweep.toml", "--out", "led", "--quiet", "--set", "algorithm.kind=led"})
                .exit_code,
            0);
  ASSERT_EQ(start({"report", "out", "led", "-o", "both.html"}).exit_code, 0);
  const json groups = data_of("both.html")["groups"];
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[2]["values"], json({"led"}));
}

TEST_F(Report, DrawsOneFigureWithoutABrowser) {
  const Finished svg = start({"report", "out", "--format", "svg", "--against", "bytes_total"});
  EXPECT_EQ(svg.exit_code, 0) << svg.err;
  EXPECT_EQ(svg.out, "written to out/report.svg\n");
  const std::string drawn = contents_of(folder_ / "out/report.svg");
  EXPECT_TRUE(drawn.starts_with("<svg "));
  for (const char* text : {">bytes sent by all nodes<", ">K-GT<", ">D-SGD<"}) {
    EXPECT_NE(drawn.find(text), std::string::npos) << text;
  }
  const Finished png =
      start({"report", "out", "--format", "png", "-o", "figure.png", "--width", "300"});
  EXPECT_EQ(png.exit_code, 0) << png.err;
  EXPECT_TRUE(contents_of(folder_ / "figure.png").starts_with("\x89PNG\r\n"));
}

// As the completion of a shell writes it.
TEST_F(Report, TakesAFolderWithASlash) {
  const Finished sweep = start({"report", "out/"});
  EXPECT_EQ(sweep.exit_code, 0) << sweep.err;
  std::filesystem::remove(folder_ / "out/experiment.toml");
  const Finished runs = start({"report", "out/"});
  EXPECT_EQ(runs.exit_code, 0) << runs.err;
  EXPECT_EQ(runs.out, "written to out/report.html\n");
}

TEST_F(Report, ShowsARunThatGoesOn) {
  std::filesystem::remove(folder_ / "out/summary.json");
  std::filesystem::remove(folder_ / "out/kind=k-gt/rep-2/summary.json");
  std::ofstream(folder_ / "out/kind=k-gt/rep-2/metrics.csv", std::ios::app) << "9,18,";
  ASSERT_EQ(start({"report", "out"}).exit_code, 0);
  const json data = data_of("out/report.html");
  EXPECT_EQ(data["groups"].size(), 2U);
  int unfinished = 0;
  for (const json& run : data["runs"]) {
    if (run["outcome"] != "unfinished") continue;
    ++unfinished;
    EXPECT_TRUE(run["torn"]);
    EXPECT_EQ(run["rows"], 9);
  }
  EXPECT_EQ(unfinished, 1);
}

TEST_F(Report, RefusesFoldersThatHoldNoRun) {
  folder_.write("notes/list.txt", "");
  const auto refuses = [&](const Texts& arguments, const std::string& message) {
    const Finished report = start(arguments);
    EXPECT_EQ(report.exit_code, 2);
    EXPECT_NE(report.err.find(message), std::string::npos) << report.err;
  };
  refuses({"report"}, "folders is required");
  refuses({"report", "nowhere"}, "nowhere: there is no such folder; expected the folder of a run");
  refuses({"report", "sweep.toml"}, "sweep.toml: is not a folder");
  refuses({"report", "notes"},
          "notes: holds no run: no folder in it has config.toml and metrics.csv");
  folder_.write("empty/config.toml", "[algorithm]\nkind = \"gt\"\n");
  folder_.write("empty/metrics.csv", "");
  refuses({"report", "empty"}, "these runs have no rows yet");
  folder_.write("broken/config.toml", "[algorithm\n");
  folder_.write("broken/metrics.csv", "round,loss\n0,1\n");
  refuses({"report", "broken"}, "broken/config.toml:1:");
  EXPECT_EQ(listing(folder_ / "empty"), (Texts{"config.toml", "metrics.csv"}));
}

TEST_F(Report, RefusesRequestsThatMakeNoSense) {
  const auto refuses = [&](const Texts& more, const std::string& message) {
    Texts arguments = {"report", "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Finished report = start(arguments);
    EXPECT_EQ(report.exit_code, 2);
    EXPECT_NE(report.err.find(message), std::string::npos) << report.err;
  };
  refuses({"--metric", "lost"}, "did you mean loss?");
  refuses({"--only", "algorithm.kind=gt"},
          "--only algorithm.kind gt: these runs have k-gt or d-sgd");
  refuses({"--width", "500"}, "--width means nothing for html; it is for svg, png or pdf");
  refuses({"--format", "csv", "--scale", "log"}, "--scale means nothing for csv");
  refuses({"--scale", "logg"}, "--scale logg: expected one of log, linear; did you mean log?");
  refuses({"--format", "pfd"},
          "--format pfd: expected one of html, svg, png, pdf, csv, tex; did you mean pdf?");
  refuses({"--format", "png", "-o", "figure.svg"},
          "-o figure.svg and --format png contradict each other; leave one of them out");
  refuses({"-o", "figure.eps"},
          "-o figure.eps: the suffix eps tells no format; expected html, svg,");
  refuses({"-o", "figure"}, "-o figure: no suffix tells the format");
  refuses({"-o", "out"}, "-o out: is a folder; name a file in it");
}

}  // namespace
}  // namespace driftless::testing
