// `driftless report` as a maker of figures for papers, from made-up runs whose numbers are known.
#include <gtest/gtest.h>

#include <regex>

#include "tests/program/program.hpp"

namespace driftless::testing {
namespace {

using Texts = std::vector<std::string>;

class PaperFigure : public ::testing::Test {
 protected:
  // A run of four rounds that holds its target of 1 from round `reached` on.
  void write_run(const std::string& kind, const std::string& rate, int seed, int reached,
                 const std::string& outcome = "finished") const {
    const std::string name = "runs/" + kind + "-" + rate + "-" + std::to_string(seed);
    folder_.write(name + "/config.toml",
                  "[algorithm]\nkind = \"" + kind + "\"\nlocal_rate = " + rate +
                      "\n[run]\nrounds = 4\ntarget = 1.0\nseed = " + std::to_string(seed) + "\n");
    std::string rows = "round,bytes_total,loss\n";
    for (int round = 0; round <= 4; ++round) {
      rows += std::to_string(round) + "," + std::to_string(8 * round) + "," +
              (round < reached ? "2" : "0.5") + "\n";
    }
    folder_.write(name + "/metrics.csv", rows);
    folder_.write(name + "/summary.json", "{\"outcome\": \"" + outcome + "\"}");
  }

  void SetUp() override {
    write_run("k-gt", "0.01", 1, 1);
    write_run("k-gt", "0.01", 2, 4);
    write_run("k-gt", "0.5", 1, 1);
    write_run("k-gt", "0.5", 2, 2, "diverged");
    write_run("d-sgd", "0.01", 1, 3);
    write_run("d-sgd", "0.01", 2, 9);
    for (const int seed : {1, 2, 3, 4, 5}) write_run("d-sgd", "0.5", seed, seed % 2 + 1);
  }

  // Of a figure that must succeed.
  std::string figure(const std::string& file, const Texts& more) const {
    const Finished report = start(file, more);
    EXPECT_EQ(report.exit_code, 0) << report.err;
    EXPECT_EQ(report.out, "written to " + file + "\n");
    return contents_of(folder_ / file);
  }
  Finished start(const std::string& file, const Texts& more) const {
    Texts arguments = {"report", "runs", "-o", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, folder_.path());
  }
  void refuses(const std::string& file, const Texts& more, const std::string& message) const {
    const Finished report = start(file, more);
    EXPECT_EQ(report.exit_code, 2);
    EXPECT_NE(report.err.find(message), std::string::npos) << report.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / file));
  }

  const TemporaryFolder folder_;
};

std::size_t count_of(const std::string& pattern, const std::string& text) {
  const std::regex wanted(pattern);
  return static_cast<std::size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), wanted), {}));
}

TEST_F(PaperFigure, TakesItsFormatFromTheSuffix) {
  EXPECT_TRUE(figure("f.svg", {}).starts_with("<svg "));
  EXPECT_TRUE(figure("f.csv", {}).starts_with("algorithm.kind,algorithm.local_rate,round,loss,"));
  EXPECT_TRUE(figure("f.html", {}).ends_with("</html>\n"));
  EXPECT_TRUE(figure("named.txt", {"--format", "csv"}).starts_with("algorithm.kind,"));
}

TEST_F(PaperFigure, IsATableForLatex) {
  const std::string table = figure("f.tex", {"--only", "local_rate=0.01", "--label", "k-gt=Ours"});
  EXPECT_NE(table.find("\\midrule\nD-SGD & reached by 1 of 2: 3 & 24 B & 1.250 (0.500--2.000)"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("\nOurs & 2.5 (1--4) & 20 B (8 B--32 B) & 0.500 (all 2) \\\\\n"),
            std::string::npos)
      << table;
  refuses("g.tex", {"--metric", "loss"}, "--metric means nothing for tex");
}

// Letters and lines, not dots: a font is in it and no picture.
TEST_F(PaperFigure, IsAPdfOfLettersAndLines) {
  const std::string pdf = figure("f.pdf", {});
  EXPECT_TRUE(pdf.starts_with("%PDF-"));
  EXPECT_EQ(pdf.find("/Subtype /Image"), std::string::npos);
}

// Each mark carries its numbers as a label for readers who cannot see it. Where two repetitions are
// all there are, they are drawn; where five are, their mean has a bar: of 2, 1, 2, 1 and 2 it is
// 1.6, the deviation √0.3, and 2.776… √(0.3/5) = 0.68 half its interval.
TEST_F(PaperFigure, ShowsWhatRunsCameToAgainstAKey) {
  const std::string svg = figure("f.svg", {"--y", "rounds_to_target", "--x", "local_rate"});
  for (const char* text : {">rounds to the target<", ">local_rate<", ">K-GT<", ">D-SGD<",
                           ">diverged<", ">not reached<"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  const auto points = [&](const std::string& numbers) {
    return count_of("aria-label=\"[^\"]*" + numbers + "[^>]*=\"point\"", svg);
  };
  EXPECT_EQ(points(": 2.5; line: k-gt"), 1U);   // the mean of 1 and 4
  EXPECT_EQ(points(": 1.6; line: d-sgd"), 1U);  // that of five
  EXPECT_EQ(points(": 1; line: k-gt"), 2U);     // single runs at both rates, and no mean at 0.5
  EXPECT_EQ(points("lack: diverged"), 1U);
  EXPECT_EQ(points("lack: not reached"), 1U);
  EXPECT_EQ(count_of("high: 2.28008", svg), 1U);  // the bar of the five
}

// Four groups, of two runs and of five; their means, single runs and bands are lines and areas.
TEST_F(PaperFigure, ShowsOfTheRepetitionsWhatIsAskedFor) {
  struct Case {
    Texts options;
    std::size_t lines;
    std::size_t bands;
  };
  const Case cases[] = {{{}, 4 + 6, 1},
                        {{"--band", "interval"}, 4, 4},
                        {{"--band", "range"}, 4, 4},
                        {{"--band", "runs"}, 4 + 11, 0},
                        {{"--band", "none"}, 4, 0}};
  for (const auto& [options, lines, bands] : cases) {
    const std::string svg = figure("f.svg", options);
    EXPECT_EQ(count_of("=\"line mark\"", svg), lines) << options.back();
    EXPECT_EQ(count_of("=\"area mark\"", svg), bands) << options.back();
  }
}

// Two rates a method share a panel: each method keeps its colour, and a rate its dashes.
TEST_F(PaperFigure, HasTheColoursThatAreAskedForAndDashesForWhatElseDiffers) {
  const Texts options = {"--panels", "none",         "--band",   "none",
                         "--colour", "k-gt=#ff00aa", "--colour", "d-sgd=teal"};
  const std::string svg = figure("f.svg", options);
  EXPECT_EQ(count_of("stroke=\"#ff00aa\"[^>]*stroke-dasharray=\"6,3\"", svg), 1U);
  EXPECT_EQ(count_of("stroke=\"teal\"[^>]*stroke-dasharray=\"6,3\"", svg), 1U);
  EXPECT_NE(svg.find(">local_rate = 0.5<"), std::string::npos) << "the legend tells the dashes";
  refuses("g.svg", {"--colour", "kgt=red"}, "--colour kgt: these runs have no such value; did you");
  refuses("g.svg", {"--colour", "k-gt=#12"}, "--colour k-gt=#12: expected a colour as CSS");
  refuses("g.csv", {"--colour", "k-gt=red"}, "--colour means nothing for csv");
}

TEST_F(PaperFigure, KeepsToTheLimitsOfItsAxes) {
  const std::string rows = figure("f.svg", {"--ylim", "0:4", "--xlim", ":3", "--panels", "none"});
  EXPECT_EQ(count_of("for a linear scale with values from 0 to 4\"", rows), 1U);
  EXPECT_EQ(count_of("for a linear scale with values from 0.0 to 3.0\"", rows), 1U);
  const std::string runs = figure("f.svg", {"--y", "bytes_to_target", "--x", "local_rate", "--ylim",
                                            ":64", "--xlim", "1e-3:1"});
  EXPECT_EQ(count_of("for a log scale with values from 0.001 to 1\"", runs), 1U);
  EXPECT_EQ(count_of("for a linear scale with values from [0-9.]+ to 64\"", runs), 1U);
}

TEST_F(PaperFigure, CallsThingsAsItIsTold) {
  const Texts labels = {"--label", "k-gt=Ours & <theirs>", "--label", "local_rate=η",
                        "--label", "loss=f = f(x)",        "--label", "rounds_to_target=T"};
  const auto with = [&](Texts options) {
    options.insert(options.end(), labels.begin(), labels.end());
    return figure("f.svg", options);
  };
  const std::string rows = with({});
  for (const char* text : {">Ours &amp; &lt;theirs&gt;<", ">D-SGD<", ">η = 0.01<", ">f = f(x)<"})
    EXPECT_NE(rows.find(text), std::string::npos) << text;
  const std::string runs = with({"--y", "rounds_to_target", "--x", "local_rate"});
  for (const char* text : {">Ours &amp; &lt;theirs&gt;<", ">η<", ">T<"})
    EXPECT_NE(runs.find(text), std::string::npos) << text;
}

TEST_F(PaperFigure, RefusesOptionsThatContradictEachOther) {
  refuses("f.svg", {"--y", "loss", "--x", "local_rate", "--metric", "loss"},
          "--y loss and --metric loss contradict each other");
  refuses("f.svg", {"--y", "loss", "--x", "local_rate", "--against", "round"},
          "--x local_rate and --against round contradict each other");
  refuses("f.svg", {"--y", "loss"}, "--y loss needs --x: a key in which the runs differ");
  refuses("f.svg", {"--x", "local_rate"}, "--x local_rate needs --y: rounds_to_target, ");
  refuses("f.html", {"--y", "loss", "--x", "local_rate"},
          "--y means nothing for html; it is for svg, png, pdf or csv");
  refuses("f.svg", {"--scale", "log", "--ylim", "0:1"},
          "--ylim 0:1 and --scale log contradict each other");
  refuses("f.svg", {"--ylim", "1"}, "--ylim 1: expected LOW:HIGH");
  refuses("f.svg", {"--band", "ranges"},
          "--band ranges: expected one of interval, range, runs, none; did you mean range?");
  refuses("f.html", {"--band", "range"}, "--band means nothing for html");
  refuses("f.csv", {"--label", "k-gt=K"}, "--label means nothing for csv");
  refuses("f.svg", {"--label", "k-tg=K"}, "no such value, key or column; did you mean k-gt?");
  refuses("f.svg", {"--y", "loss", "--x", "method", "--xlim", "1:2"},
          "--xlim means nothing with --x algorithm.kind, which is d-sgd here: no number");
}

}  // namespace
}  // namespace driftless::testing
