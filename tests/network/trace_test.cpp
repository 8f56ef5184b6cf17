#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/network/faults.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless {
namespace {

using testing::contains;

const std::string trace_header = "round,event,node,peer,value\n";

class TraceFile : public ::testing::Test {
 protected:
  Trace read(const std::string& text, NodeId nodes = 5) const {
    return read_trace(folder_.write("trace.csv", text), nodes);
  }
  std::string fault_of(const std::string& text, NodeId nodes = 5) const {
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

TEST_F(TraceFile, HoldsEveryEvent) {
  const Trace trace = read(trace_header +
                           "0,link_down,0,1,\n1,link_up,1,0,\n2,pause,2,,\n3,resume,2,,\n"
                           "4,crash,3,,\n5,join,3,,\n6,late,4,0,3\n4294967294,steps,0,,16777215\n");
  const Trace expected = {
      {.round = 0, .event = Event::link_down, .node = 0, .peer = 1, .line = 2},
      {.round = 1, .event = Event::link_up, .node = 1, .peer = 0, .line = 3},
      {.round = 2, .event = Event::pause, .node = 2, .line = 4},
      {.round = 3, .event = Event::resume, .node = 2, .line = 5},
      {.round = 4, .event = Event::crash, .node = 3, .line = 6},
      {.round = 5, .event = Event::join, .node = 3, .line = 7},
      {.round = 6, .event = Event::late, .node = 4, .peer = 0, .value = 3, .line = 8},
      {.round = 4'294'967'294, .event = Event::steps, .node = 0, .value = 16'777'215, .line = 9}};
  EXPECT_EQ(trace, expected);
}

TEST_F(TraceFile, IsReadWithCommentsBlanksAndMarks) {
  const Trace trace =
      read("# outages\r\n\r\nround, event ,node,peer,value\r\n 1 , pause,\t0,, # off\r\n");
  ASSERT_EQ(trace.size(), 1);
  EXPECT_EQ(trace[0], (TraceEvent{.round = 1, .event = Event::pause, .node = 0, .line = 4}));
  EXPECT_EQ(read("\xef\xbb\xbf" + trace_header + "1,pause,0,,\n").size(), 1);
  EXPECT_TRUE(read(trace_header).empty());
}

// The golden trajectories list some events of a later round first.
TEST_F(TraceFile, IsSortedByRoundsAndKeepsTheOrderWithinOne) {
  const Trace trace =
      read(trace_header + "5,pause,1,,\n2,pause,2,,\n5,resume,1,,\n2,pause,0,,\n5,pause,1,,\n");
  std::vector<std::pair<Round, std::int64_t>> found;
  for (const TraceEvent& each : trace) found.emplace_back(each.round, each.line);
  EXPECT_EQ(found,
            (std::vector<std::pair<Round, std::int64_t>>{{2, 3}, {2, 5}, {5, 2}, {5, 4}, {5, 6}}));
}

TEST_F(TraceFile, ThatIsBadIsRefusedWithItsLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"pause,0\n", "found 2 cells, expected 5: round,event,node,peer,value"},
      {"0,pause,0,,,\n", "found 6 cells, expected 5"},
      {"-1,pause,0,,\n", "found \"-1\", expected an integer from 0 to 4294967294"},
      {"4294967295,pause,0,,\n", "found \"4294967295\", expected an integer from 0 to 4294967294"},
      {"1.5,pause,0,,\n", "found \"1.5\", expected an integer"},
      {",pause,0,,\n", "found \"\", expected an integer"},
      {"0,pauze,0,,\n",
       "unknown event \"pauze\": expected one of link_down, link_up, pause, resume, crash, join, "
       "late, steps; did you mean pause?"},
      {"0,,0,,\n", "unknown event \"\""},
      {"0,pause,5,,\n", "found \"5\", expected an integer from 0 to 4"},
      {"0,pause,,,\n", "found \"\", expected an integer from 0 to 4"},
      {"0,pause,0,1,\n", "pause has no peer; leave it empty"},
      {"0,crash,0,,1\n", "crash has no value; leave it empty"},
      {"0,link_up,0,1,0\n", "link_up has no value; leave it empty"},
      {"0,steps,0,1,3\n", "steps has no peer; leave it empty"},
      {"0,link_down,0,,\n", "found \"\", expected an integer from 0 to 4"},
      {"0,link_down,2,2,\n", "node 2 has no link to itself"},
      {"0,late,2,2,1\n", "node 2 has no link to itself"},
      {"0,late,0,7,1\n", "found \"7\", expected an integer from 0 to 4"},
      {"0,late,0,1,\n", "found \"\", expected an integer from 1 to 1000000"},
      {"0,late,0,1,0\n", "found \"0\", expected an integer from 1 to 1000000"},
      {"0,late,0,1,1000001\n", "found \"1000001\""},
      {"0,steps,0,,0\n", "found \"0\", expected an integer from 1 to 16777215"},
      {"0,steps,0,,16777216\n", "found \"16777216\""},
  };
  for (const auto& [line, message] : cases) {
    const std::string fault =
        fault_of(fmt::format("{}# a comment\n0,pause,0,,\n{}", trace_header, line));
    EXPECT_TRUE(contains(fault, "trace.csv:4: " + message)) << line;
  }
}

TEST_F(TraceFile, NeedsItsHeader) {
  const std::string message = "expected the header round,event,node,peer,value";
  EXPECT_TRUE(contains(fault_of(""), message));
  EXPECT_TRUE(contains(fault_of("0,pause,0,,\n"), "trace.csv:1: " + message));
  EXPECT_TRUE(contains(fault_of("round,event,node\n"), "trace.csv:1: " + message));
  EXPECT_THROW(read_trace("no/such/trace.csv", 3), DataError);
}

// In the order in which they happen, which need not be that of the lines.
TEST_F(TraceFile, LosesMembersAndBringsBackTheLostAndKeepsOne) {
  EXPECT_TRUE(contains(fault_of(trace_header + "1,crash,2,,\n5,crash,2,,\n"),
                       "trace.csv:3: node 2 is lost already"));
  EXPECT_TRUE(
      contains(fault_of(trace_header + "1,join,2,,\n"), "trace.csv:2: node 2 is a member already"));
  EXPECT_TRUE(contains(fault_of(trace_header + "4,join,2,,\n1,crash,2,,\n5,join,2,,\n"),
                       "trace.csv:4: node 2 is a member already"));
  EXPECT_EQ(fault_of(trace_header + "4,join,2,,\n1,crash,2,,\n5,crash,2,,\n"), "");
  EXPECT_TRUE(contains(fault_of(trace_header + "1,crash,1,,\n2,crash,0,,\n", 2),
                       "trace.csv:3: node 0 is the last member; a network of none cannot go on"));
  EXPECT_EQ(fault_of(trace_header + "1,crash,1,,\n2,join,1,,\n2,crash,0,,\n", 2), "");
}

TEST_F(TraceFile, NamesLinksThatTheNetworkHas) {
  const auto of_a_path = [](NodeId a, NodeId b) { return a - b == 1 || b - a == 1; };
  check_trace_links(read(trace_header + "0,link_down,1,0,\n0,late,1,2,1\n0,pause,0,,\n"), "trace",
                    of_a_path);
  for (const std::string line : {"9,link_down,2,0,\n", "9,link_up,0,2,\n", "9,late,0,2,1\n"}) {
    try {
      check_trace_links(read(fmt::format("{}\n{}", trace_header, line)), "trace.csv", of_a_path);
      FAIL() << line;
    } catch (const ConfigError& error) {
      EXPECT_TRUE(contains(error.what(), "trace.csv:3: "));
      EXPECT_TRUE(contains(error.what(), ", but the network has no such link"));
    }
  }
}

}  // namespace
}  // namespace driftless
