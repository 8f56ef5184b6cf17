#include "driftless/record/settings_reader.hpp"

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless::testing {
namespace {

class ReadSettings : public ::testing::Test {
 protected:
  RecordedSettings read(const std::string& text) {
    return reader_.read(folder_.write("config.toml", text));
  }
  std::string refusal_of(const std::string& text) {
    try {
      read(text);
      return "";
    } catch (const DataError& error) {
      return std::string(error.what()).substr((folder_ / "config.toml").string().size());
    }
  }

  const TemporaryFolder folder_;
  SettingsReader reader_;
};

TEST_F(ReadSettings, ReadsEveryFileAsItIs) {
  for (const std::string seed : {"1", "2", "1"}) {
    EXPECT_EQ(
        read("[algorithm]  # how\nkind = \"k-gt\"  # the method\n\n[run]\nseed = " + seed +
             "\ndrift = true\n"),
        (RecordedSettings{{"algorithm.kind", "k-gt"}, {"run.seed", seed}, {"run.drift", "true"}}));
  }
  EXPECT_EQ(read("[run]\nseed = 1\n[algorithm]\nseed = 1"),
            (RecordedSettings{{"run.seed", "1"}, {"algorithm.seed", "1"}}));
}

TEST_F(ReadSettings, ReadsAListAsVersion01WroteIt) {
  for (const std::string list : {"[300, 100]", "[\n  300,\n  100,\n]", "\"300 100\""}) {
    EXPECT_EQ(read("[problem]\nhidden = " + list + "\n"),
              (RecordedSettings{{"problem.hidden", "300 100"}}))
        << list;
  }
  EXPECT_EQ(read("[problem]\ndata = [\"a\", \"b\"]\n"),
            (RecordedSettings{{"problem.data", "a b"}}));
}

// Every file has lines that were read before and meant something else there.
TEST_F(ReadSettings, SeesWhatALineIsPartOf) {
  EXPECT_EQ(read("[run]\na = 1\nb = 2\n"), (RecordedSettings{{"run.a", "1"}, {"run.b", "2"}}));
  EXPECT_EQ(read("[run]\na = 1\nc = \"\"\"\nb = 2\n\"\"\"\n"),
            (RecordedSettings{{"run.a", "1"}, {"run.c", "b = 2\n"}}));
  EXPECT_EQ(read("[run]\na = 1\nd = [\n[1],\n]\nb = 2\n"),
            (RecordedSettings{{"run.a", "1"}, {"run.b", "2"}}));
  EXPECT_EQ(read("a = 1\n[run]\nb = 2\n"), (RecordedSettings{{"a", "1"}, {"run.b", "2"}}));
  EXPECT_EQ(read("[run.more]\na = 1\n[run]\nb = 2\n"),
            (RecordedSettings{{"run.more.a", "1"}, {"run.b", "2"}}));
  EXPECT_EQ(read("[[run]]\na = 1\n"), RecordedSettings{});
  EXPECT_EQ(read("run = {}\n[other]\na = 1\n"), (RecordedSettings{{"other.a", "1"}}));
}

TEST_F(ReadSettings, RefusesLinesThatAreAtOdds) {
  EXPECT_EQ(refusal_of("[run]\na = 1\n[other]\n[more]\n"), "");
  EXPECT_TRUE(refusal_of("[run]\na = 1\na = 1\n").starts_with(":3:"));
  EXPECT_TRUE(refusal_of("[run]\na = 1\n[other]\n[run]\n").starts_with(":4:"));
  EXPECT_TRUE(refusal_of("run = 1\n[run]\na = 1\n").starts_with(":2:"));
  EXPECT_TRUE(refusal_of("[run]\n\xef\xbb\xbf"
                         "a = 1\n")
                  .starts_with(":2:"));
  EXPECT_TRUE(refusal_of("[run]\na = 1\nb = \n").starts_with(":3:"));
}

}  // namespace
}  // namespace driftless::testing
