#include "driftless/report/split_plot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

namespace driftless {
namespace {

struct Dot {
  double x, y, radius;
};

std::vector<Dot> dots(const std::string& svg) {
  static const std::regex circle(R"re(<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)">)re");
  std::vector<Dot> found;
  for (std::sregex_iterator it(svg.begin(), svg.end(), circle), end; it != end; ++it) {
    found.push_back({std::stod((*it)[1]), std::stod((*it)[2]), std::stod((*it)[3])});
  }
  return found;
}

TEST(SplitPlot, HasADotForWhatIsThereWithItsArea) {
  const auto found = dots(split_plot("title", {"a", "b"}, {{400, 0}, {100, 25}}));
  ASSERT_EQ(found.size(), 3U);  // node 0 class a, node 1 class a, node 1 class b
  EXPECT_NEAR(found[0].radius / found[1].radius, 2, 0.01);
  EXPECT_NEAR(found[0].radius / found[2].radius, 4, 0.02);
  EXPECT_LT(found[0].x, found[1].x);  // nodes run along
  EXPECT_EQ(found[0].y, found[1].y);
  EXPECT_EQ(found[1].x, found[2].x);
  EXPECT_GT(found[1].y, found[2].y);  // classes run up
}

TEST(SplitPlot, SaysWhatItShowsOnWhite) {
  const std::string svg = split_plot("a < b & c", {"x>y"}, {{7}});
  for (const char* part : {"a &lt; b &amp; c", ">x&gt;y<", ">node<", ">class<", "fill=\"#ffffff\"",
                           "node 0, class x&gt;y: 7"}) {
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  }
}

TEST(SplitPlot, OfManyNodesKeepsToAPageAndItsDotsApart) {
  const SplitCounts counts(200, std::vector<std::int64_t>(10, 5));
  const std::string svg = split_plot("many", std::vector<std::string>(10, "c"), counts);
  const auto found = dots(svg);
  ASSERT_EQ(found.size(), 2000U);
  EXPECT_LE(2 * found[0].radius, found[10].x - found[0].x);
  EXPECT_LT(found.back().x, 1200);
}

}  // namespace
}  // namespace driftless
