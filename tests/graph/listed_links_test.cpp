#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/graph/link_sequence.hpp"
#include "tests/graph/sequence_cases.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless {
namespace {

using testing::contains;
using testing::dense;
using testing::expect_links_of_a_round;
using testing::rows_of;

class ListedLinks : public ::testing::Test {
 protected:
  std::unique_ptr<LinkSequence> read(const std::string& text, std::optional<NodeId> nodes = {},
                                     Weights weights = Weights::metropolis) const {
    return read_link_sequence(folder_.write("input", text), nodes, weights);
  }
  std::string fault_of(const std::string& text, std::optional<NodeId> nodes = {}) const {
    try {
      read(text, nodes);
    } catch (const DataError& error) {
      return error.what();
    }
    return "";
  }

 private:
  testing::TemporaryFolder folder_;
};

// Round 0 is a star of 3 in the middle of four nodes, round 1 a pair.
const std::string star_and_pair = "round,a,b\n0,1,0\n0,1,2\n0,3,1\n1,2,3\n";

TEST_F(ListedLinks, AreWeightedByTheDegreesOfTheirRound) {
  const auto sequence = read(star_and_pair);
  EXPECT_EQ(sequence->nodes(), 4);
  EXPECT_EQ(sequence->period(), 2);
  EXPECT_EQ(sequence->most_peers(), 3);
  Eigen::MatrixXd star(4, 4);
  star << 3, 1, 0, 0, 1, 1, 1, 1, 0, 1, 3, 0, 0, 1, 0, 3;
  EXPECT_EQ(dense(*sequence, 0), star / 4);
  Eigen::MatrixXd pair(4, 4);
  pair << 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1;
  EXPECT_EQ(dense(*sequence, 1), pair / 2);
}

// A path of three and a pair: by the larger degree of the two ends the pair has 1/2, by the largest
// of all 1/3.
TEST_F(ListedLinks, TakeTheWeightsThatAreAskedFor) {
  const std::string text = "round,a,b\n0,0,1\n0,1,2\n0,3,4\n";
  const auto pair_in = [&](Weights weights) { return dense(*read(text, 5, weights), 0)(3, 4); };
  EXPECT_DOUBLE_EQ(pair_in(Weights::metropolis), 1.0 / 2);
  EXPECT_DOUBLE_EQ(pair_in(Weights::max_degree), 1.0 / 3);
  EXPECT_DOUBLE_EQ(pair_in(Weights::lazy_metropolis), 1.0 / 4);
  EXPECT_DOUBLE_EQ(pair_in(Weights::lazy_max_degree), 1.0 / 6);
}

TEST_F(ListedLinks, TakeTheWeightsThatAreGiven) {
  const auto sequence = read("round,a,b,weight\n0,0,1,0.25\n0,2,1,0.75\n1,0,2,1\n");
  Eigen::MatrixXd first(3, 3);
  first << 0.75, 0.25, 0, 0.25, 0, 0.75, 0, 0.75, 0.25;
  EXPECT_EQ(dense(*sequence, 0), first);
  Eigen::MatrixXd second(3, 3);
  second << 0, 0, 1, 0, 1, 0, 1, 0, 0;
  EXPECT_EQ(dense(*sequence, 1), second);
}

TEST_F(ListedLinks, AreSymmetricAndDoublyStochasticInEveryRound) {
  std::string text = "round,a,b\n";
  for (int t = 0; t < 6; ++t) {
    for (int i = 0; i < 9; ++i) text += fmt::format("{},{},{}\n", t, (i * 7 + t) % 10, 10 + i);
  }
  for (const Named<Weights>& weights : values_of<Weights>) {
    const auto sequence = read(text, 21, weights.value);
    NodeId most = 0;
    for (Round t = 0; t < 7; ++t) {
      most = std::max(most, expect_links_of_a_round(rows_of(*sequence, t), 21));
    }
    EXPECT_EQ(most, sequence->most_peers());
  }
}

TEST_F(ListedLinks, ARoundThatIsLeftOutHasNone) {
  const auto sequence = read("round,a,b\n2,0,1\n5,1,2\n");
  EXPECT_EQ(sequence->period(), 6);
  for (const Round t : {0, 1, 3, 4}) {
    EXPECT_EQ(dense(*sequence, t), Eigen::MatrixXd::Identity(3, 3)) << t;
  }
  EXPECT_EQ(dense(*sequence, 2)(0, 1), 0.5);
  EXPECT_EQ(dense(*sequence, 5)(1, 2), 0.5);
}

TEST_F(ListedLinks, BeginAgainAfterTheLastRound) {
  const auto sequence = read(star_and_pair);
  EXPECT_EQ(dense(*sequence, 6), dense(*sequence, 0));
  EXPECT_EQ(dense(*sequence, 7), dense(*sequence, 1));
  EXPECT_EQ(dense(*sequence, 2'000'000'001), dense(*sequence, 1));
}

TEST_F(ListedLinks, AreReadWithCommentsBlanksAndMarks) {
  const auto sequence =
      read("\xef\xbb\xbfround, a ,b\r\n# a path\r\n\r\n 0 ,\t1, 0 # back\r\n0,1,2\r\n");
  EXPECT_EQ(sequence->nodes(), 3);
  EXPECT_EQ(rows_of(*sequence, 0).nodes, (std::vector<NodeId>{0, 1, 0, 1, 2, 1, 2}));
}

TEST_F(ListedLinks, OfOneNodeMayBeNone) {
  const auto sequence = read("round,a,b\n", 1);
  EXPECT_EQ(sequence->nodes(), 1);
  EXPECT_EQ(sequence->period(), 1);
  EXPECT_EQ(dense(*sequence, 3), Eigen::MatrixXd::Identity(1, 1));
}

TEST_F(ListedLinks, ThatAreBadAreRefusedWithTheirLine) {
  const std::string header = "round,a,b\n";
  const std::string weighted = "round,a,b,weight\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "input: is empty, expected the header round,a,b or round,a,b,weight"},
      {"\n# nothing\n", "input: is empty"},
      {"0,1,2\n", "input:1: found \"0,1,2\", expected the header round,a,b or round,a,b,weight"},
      {"round,a\n", "input:1: found \"round,a\", expected the header"},
      {"\nround,a,b,weights\n", "input:2: found \"round,a,b,weights\", expected the header"},
      {"round,a,b,weight,note\n", "input:1: found \"round,a,b,weight\", expected the header"},
      {header, "input: holds no link"},
      {header + "0,1\n", "input:2: found 2 cells, expected 3: round,a,b"},
      {header + "0,0,1,0.5\n", "input:2: found 4 cells, expected 3: round,a,b"},
      {weighted + "0,0,1\n", "input:2: found 3 cells, expected 4: round,a,b,weight"},
      {header + "x,0,1\n", "input:2: found \"x\", expected an integer from 0 to 9999999"},
      {header + "-1,0,1\n", "input:2: found \"-1\""},
      {header + "10000000,0,1\n", "input:2: found \"10000000\""},
      {header + "0,,1\n", "input:2: found \"\", expected an integer"},
      {header + "0,0,1.5\n", "input:2: found \"1.5\""},
      {header + "0,0,10000000\n", "input:2: found \"10000000\", expected an integer from 0 to"},
      {header + "0,0,1\n\n0,1,1\n", "input:4: node 1 is not its own neighbour; remove the line"},
      {header + "1,0,1\n0,0,1\n", "input:3: round 0 after round 1: expected rounds that ascend"},
      {header + "3,0,1\n3,1,2\n3,1,0\n4,0,1\n",
       "input:4: round 3 has the link of 0 and 1 already, from line 2"},
      {header + "0,0,1\n1,0,9\n",
       "input: 2 links cannot connect 10 nodes; say how many nodes there are"},
      {weighted + "0,0,1,0\n", "input:2: found weight 0, expected more than 0 and at most 1"},
      {weighted + "0,0,1,-0.5\n", "input:2: found weight -0.5"},
      {weighted + "0,0,1,1.001\n", "input:2: found weight 1.001"},
      {weighted + "0,0,1,nan\n", "input:2: found weight nan"},
      {weighted + "0,0,1,half\n", "input:2: found \"half\", expected a number"},
      {weighted + "0,0,1,\n", "input:2: found \"\", expected a number"},
      {weighted + "0,0,1,0.5\n0,2,3,0.75\n0,2,0,0.5\n1,0,1,1\n",
       "input:4: the weights of node 2 in round 0 come to 1.25, expected at most 1"},
  };
  for (const auto& [text, message] : cases) EXPECT_TRUE(contains(fault_of(text), message)) << text;
  EXPECT_TRUE(contains(fault_of(header + "0,1,2\n", 2), "input:2: found \"2\""));
  EXPECT_TRUE(contains(fault_of(header + "0,0,1\n", 0), "asked for 0 nodes, expected 1 to"));
  EXPECT_TRUE(contains(fault_of(header, 2), "holds no link"));
  EXPECT_TRUE(contains(fault_of(header + "999999,0,1\n", 101),
                       "1 links in 1000000 rounds of 101 nodes are too few to go through all "
                       "rounds, expected at most 990099 rounds"));
  EXPECT_EQ(fault_of(header + "999999,0,1\n", 100), "");
}

TEST_F(ListedLinks, ThatSumToOneButForRoundingAreTaken) {
  const std::string third = "0.3333333333333334";
  const auto sequence =
      read("round,a,b,weight\n0,0,1," + third + "\n0,0,2," + third + "\n0,0,3," + third + "\n");
  expect_links_of_a_round(rows_of(*sequence, 0), 4);
  EXPECT_EQ(dense(*sequence, 0)(0, 0), 0);
}

}  // namespace
}  // namespace driftless
