#include "driftless/report/latex_table.hpp"

#include <gtest/gtest.h>

#include "tests/support/recorded_runs.hpp"

namespace driftless::testing {
namespace {

TEST(LatexText, EscapesWhatLatexTakesForItself) {
  EXPECT_EQ(latex_text("a_b & 50 % #1 {x} ~ ^ \\"),
            "a\\_b \\& 50 \\% \\#1 \\{x\\} \\textasciitilde{} \\textasciicircum{} "
            "\\textbackslash{}");
  EXPECT_EQ(latex_text("5 $"), "5 \\$");
  EXPECT_EQ(latex_text("52.4 ± 1.2, 51–100, −3"), "52.4 $\\pm$ 1.2, 51--100, $-$3");
}

TEST(LatexText, WritesPowersOfTenAndGreekLettersAsFormulas) {
  EXPECT_EQ(latex_text("1.25e-04 ± 3.1e-05"), "$1.25\\times 10^{-4}$ $\\pm$ $3.1\\times 10^{-5}$");
  EXPECT_EQ(latex_text("1e-06"), "$10^{-6}$");
  EXPECT_EQ(latex_text("2e+10"), "$2\\times 10^{10}$");
  EXPECT_EQ(latex_text("1.50e+00"), "1.50");
  EXPECT_EQ(latex_text("run1e-2"), "run1e-2");
  EXPECT_EQ(latex_text("η_c and ζ²"), "$\\eta_{c}$ and $\\zeta$$^2$");
  EXPECT_EQ(latex_text("$\\eta_c$ of k_gt"), "$\\eta_c$ of k\\_gt");
}

class LatexTable : public ::testing::Test {
 protected:
  std::string body_of(const FigureChoice& choice) const {
    const std::string table = latex_table(comparison_, checked(choice, comparison_));
    return table.substr(table.find("\\begin"));
  }

  const std::vector<RecordedRun> runs_ = {
      run_to_target("k-gt", "1e-05", "1", 2),
      run_to_target("k-gt", "1e-05", "2", 4),
      run_to_target("d-sgd", "0.5", "1", 9),
      run_to_target("d-sgd", "0.5", "2", 9),
  };
  const Comparison comparison_ = compare(runs_);
};

TEST_F(LatexTable, TellsWhatTheRunsCameTo) {
  EXPECT_EQ(body_of({}),
            "\\begin{tabular}{lrrrr}\n\\toprule\n"
            "method & local\\_rate & rounds to 1 & bytes to 1 & final loss \\\\\n\\midrule\n"
            "K-GT & $10^{-5}$ & 3 (2--4) & 24 B (16 B--32 B) & 0.500 (all 2) \\\\\n"
            "D-SGD & 0.5 & not reached &  & 2.000 (all 2) \\\\\n"
            "\\bottomrule\n\\end{tabular}\n");
}

TEST_F(LatexTable, CallsThingsAsItIsTold) {
  const std::string table = body_of(
      {.only = {{"method", "k-gt"}},
       .labels = {
           {"local_rate", "η_c"}, {"1e-05", "tiny & slow"}, {"rounds_to_target", "rounds"}}});
  EXPECT_TRUE(
      table.starts_with("\\begin{tabular}{rrrr}\n\\toprule\n"
                        "$\\eta_{c}$ & rounds & bytes to 1 & final loss \\\\\n\\midrule\n"
                        "tiny \\& slow & 3 (2--4) & "))
      << table;
}

}  // namespace
}  // namespace driftless::testing
