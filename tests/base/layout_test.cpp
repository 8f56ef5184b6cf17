#include "driftless/base/layout.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <sstream>

namespace driftless {
namespace {

using Lines = std::vector<std::vector<std::string>>;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> words_of_text(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

const Lines table{{"method", "nodes", "bytes", "final loss"},
                  {"k-gt", "8", "1 kB", "0.5 ± 0.1"},
                  {"d-sgd", "16", "20 kB", "0.75 ± 0.1"}};

TEST(Aligned, PadsToTheWidestFieldAndCountsLetters) {
  EXPECT_EQ(aligned(table, 2),
            "method  nodes  bytes  final loss\n"
            "k-gt    8       1 kB   0.5 ± 0.1\n"
            "d-sgd   16     20 kB  0.75 ± 0.1\n");
}

TEST(Aligned, BreaksBetweenColumnsAndRepeatsThoseThatNameTheLine) {
  EXPECT_EQ(aligned(table, 1, 32), aligned(table, 1));  // as wide as it is
  EXPECT_EQ(aligned(table, 1, 31),
            "method  nodes  bytes\n"
            "k-gt        8   1 kB\n"
            "d-sgd      16  20 kB\n"
            "\n"
            "method  final loss\n"
            "k-gt     0.5 ± 0.1\n"
            "d-sgd   0.75 ± 0.1\n");
}

TEST(Aligned, NumbersTheLinesWhereTheirNamesLeaveNoRoom) {
  EXPECT_EQ(aligned(table, 2, 18),
            "#  method  nodes\n"
            "1  k-gt    8\n"
            "2  d-sgd   16\n"
            "\n"
            "#  bytes\n"
            "1   1 kB\n"
            "2  20 kB\n"
            "\n"
            "#  final loss\n"
            "1   0.5 ± 0.1\n"
            "2  0.75 ± 0.1\n");
}

RC_GTEST_PROP(Aligned, FitsAnyWidthThatEveryColumnFits, ()) {
  const auto columns = *rc::gen::inRange<std::size_t>(1, 8);
  const auto left = *rc::gen::inRange<std::size_t>(0, columns + 1);
  const auto field = rc::gen::container<std::string>(rc::gen::inRange('a', 'f'));
  const auto lines =
      *rc::gen::container<Lines>(3, rc::gen::container<Lines::value_type>(columns, field));
  std::size_t widest = 1;
  for (const auto& line : lines)
    for (const std::string& text : line) widest = std::max(widest, text.size());
  const std::size_t width = widest + *rc::gen::inRange<std::size_t>(3, 30);  // room for "1  "
  for (const std::string& line : lines_of(aligned(lines, left, width)))
    RC_ASSERT(line.size() <= width);
}

TEST(Wrapped, BreaksBetweenWordsAndIndentsWhatFollows) {
  EXPECT_EQ(wrapped("  name    a text of no more than λ and μ\nnext\n", 10, 36),
            "  name    a text of no more than λ\n"
            "          and μ\n"
            "next\n");
  EXPECT_EQ(wrapped("as it is\n", 2, any_width), "as it is\n");
  EXPECT_EQ(wrapped("aaaa bbbb", 0, 9), "aaaa bbbb");
}

TEST(Wrapped, PutsTheTextBelowItsNameWhereThereIsNoRoomBesideIt) {
  EXPECT_EQ(wrapped("  name          some words of a text", 16, 20),
            "  name\n    some words of a\n    text");
  EXPECT_EQ(wrapped("                some words of a text", 16, 20),
            "    some words of a\n    text");
}

TEST(Wrapped, LeavesAWordThatIsTooLongWhole) {
  EXPECT_EQ(wrapped("to /a/path/without/end it", 2, 8), "to\n  /a/path/without/end\n  it");
}

RC_GTEST_PROP(Wrapped, ChangesNothingButTheBlanks, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("abc    ")));
  const auto width = *rc::gen::inRange<std::size_t>(1, 20);
  const auto indent = *rc::gen::inRange<std::size_t>(0, 20);
  const std::string result = wrapped(text, indent, width);
  RC_ASSERT(words_of_text(result) == words_of_text(text));
  const auto lines = lines_of(result);
  for (const std::string& line : lines)
    RC_ASSERT(line.size() <= width || words_of_text(line).size() <= 1);
}

}  // namespace
}  // namespace driftless
