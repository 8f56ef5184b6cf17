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
  EXPECT_TRUE(figure("f.html", {}).starts_with("<!doctype html>"));
  EXPECT_TRUE(figure("named.txt", {"--format", "csv"}).starts_with("algorithm.kind,"));
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
  for (const char* text : {">communication rounds to the target<", ">local_rate<", ">k-gt<",
                           ">d-sgd<", ">diverged<", ">not reached<"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  const auto marks = [&](const std::string& numbers) { return count_of(numbers, svg); };
  EXPECT_EQ(marks("aria-label=\"[^\"]*: 2.5; line: k-gt"), 1U);   // the mean of 1 and 4
  EXPECT_EQ(marks("aria-label=\"[^\"]*: 1.6; line: d-sgd"), 1U);  // that of five
  EXPECT_EQ(marks("aria-label=\"[^\"]*: 1; line: k-gt"), 2U);     // single runs at both rates
  EXPECT_EQ(marks("lack: diverged"), 1U);
  EXPECT_EQ(marks("lack: not reached"), 1U);
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
}

}  // namespace
}  // namespace driftless::testing
