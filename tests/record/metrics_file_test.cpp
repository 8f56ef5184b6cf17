#include "driftless/record/metrics_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "driftless/base/error.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless {
namespace {

Metrics some_row(Round round) {
  return {.round = round,
          .gradients = 12,
          .passes = 0.1,
          .bytes_total = std::numeric_limits<Bytes>::max(),
          .bytes_busiest = 7,
          .seconds = 0.1 + 0.2,
          .loss = 1.0 / 3,
          .suboptimality = 5e-324,
          .consensus = std::numeric_limits<double>::infinity(),
          .drift = -1e300,
          .test_accuracy = 0.5};
}

TEST(MetricsFile, ReadsBackTheRowsThatItWrote) {
  const testing::TemporaryFolder folder;
  Metrics lost = some_row(4);
  lost.loss = std::numeric_limits<double>::quiet_NaN();
  const std::string text = metrics_header() + metrics_line(some_row(0)) + metrics_line(lost);
  const std::vector<Metrics> rows = read_metrics(folder.write("metrics.csv", text)).rows;
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(metrics_header() + metrics_line(rows[0]) + metrics_line(rows[1]), text);
  EXPECT_EQ(rows[0].suboptimality, 5e-324);
  EXPECT_EQ(rows[0].bytes_total, std::numeric_limits<Bytes>::max());
  EXPECT_FALSE(rows[0].grad_norm2.has_value());
  EXPECT_TRUE(std::isnan(rows[1].loss));
}

TEST(MetricsFile, EndsBeforeALineThatIsTorn) {
  const testing::TemporaryFolder folder;
  const std::string first = metrics_header() + metrics_line(some_row(0));
  const std::string second = metrics_line(some_row(1));
  for (std::size_t size = 0; size < second.size(); ++size) {
    const auto file = folder.write("metrics.csv", first + second.substr(0, size));
    EXPECT_EQ(read_metrics(file).rows.size(), 1U) << size << " bytes of the second row";
  }
}

TEST(MetricsFile, IsRefusedWithoutRounds) {
  const testing::TemporaryFolder folder;
  const auto file = folder.write("metrics.csv", "a,b\n0,1\n");
  try {
    read_metrics(file);
    FAIL();
  } catch (const DataError& error) {
    EXPECT_TRUE(testing::contains(error.what(),
                                  ":1: found \"a,b\", expected the names of columns, round among"));
  }
  EXPECT_THROW(read_metrics(folder / "none.csv"), DataError);
}

TEST(MetricsFile, FindsColumnsByTheirNames) {
  const testing::TemporaryFolder folder;
  const auto file = folder.write("metrics.csv", "loss,of tomorrow,round\n0.5,7,0\n,8,3\nnan,9,6\n");
  const RecordedMetrics metrics = read_metrics(file);
  ASSERT_EQ(metrics.rows.size(), 3U);
  EXPECT_EQ(metrics.rows[1].round, 3);
  EXPECT_EQ(metrics.rows[2].round, 6);
  EXPECT_EQ(metrics.rows[0].loss, 0.5);
  EXPECT_TRUE(std::isnan(metrics.rows[1].loss));
  EXPECT_TRUE(std::isnan(metrics.rows[2].loss));
  EXPECT_FALSE(metrics.rows[0].suboptimality);
  EXPECT_FALSE(metrics.torn);
  EXPECT_EQ(metrics.fault, "");
}

TEST(MetricsFile, LeavesOutALastLineThatIsNotWhole) {
  const testing::TemporaryFolder folder;
  const RecordedMetrics metrics =
      read_metrics(folder.write("metrics.csv", "round,loss\n0,0.5\n1,0.2"));
  ASSERT_EQ(metrics.rows.size(), 1U);
  EXPECT_EQ(metrics.rows[0].loss, 0.5);
  EXPECT_TRUE(metrics.torn);
}

TEST(MetricsFile, OfNoLinesHasNoRows) {
  const testing::TemporaryFolder folder;
  EXPECT_TRUE(read_metrics(folder.write("metrics.csv", "")).rows.empty());
  EXPECT_TRUE(read_metrics(folder.write("metrics.csv", "round,loss\n")).rows.empty());
}

TEST(MetricsFile, NamesTheLineThatIsWrongAndEndsThere) {
  const testing::TemporaryFolder folder;
  const auto file = folder.write("metrics.csv", "round,loss\n0,1\n1\n2,3\n");
  EXPECT_EQ(read_metrics(file).fault,
            file.string() + ":3: found 1 fields, expected 2 as in the first line");
  EXPECT_EQ(read_metrics(file).rows.size(), 1U);
  folder.write("metrics.csv", "round,loss\n0,one\n");
  EXPECT_EQ(read_metrics(file).fault, file.string() + ":2: found \"one\", expected a number");
}

TEST(MetricsFile, RefusesRoundsThatDoNotAscend) {
  const testing::TemporaryFolder folder;
  const auto fault = [&](const std::string& round) {
    const auto file = folder.write("metrics.csv", "loss,round\n1,0\n1,4\n1," + round + "\n");
    const RecordedMetrics metrics = read_metrics(file);
    EXPECT_EQ(metrics.rows.size(), metrics.fault.empty() ? 3U : 2U);
    EXPECT_TRUE(metrics.fault.empty() || metrics.fault.starts_with(file.string() + ":4: found "));
    return metrics.fault;
  };
  EXPECT_EQ(fault("5"), "");
  for (const char* round : {"nan", "1e308", "5.0", "", "99999999999999999999", "+5", " 5"}) {
    EXPECT_TRUE(testing::contains(
        fault(round), "found \"" + std::string(round) + "\", expected a round, a whole number"));
  }
  for (const char* round : {"-1", "4", "3", "0", "4294967295"}) {
    EXPECT_TRUE(testing::contains(
        fault(round), "found round " + std::string(round) + ", expected one from 5 to 4294967294"));
  }
}

TEST(MetricsFile, RefusesMoreRowsThanAreWanted) {
  const testing::TemporaryFolder folder;
  const auto file = folder.write("metrics.csv", "round,loss\n0,1\n1,1\n2,1\n");
  EXPECT_EQ(read_metrics(file, 3).rows.size(), 3U);
  try {
    read_metrics(file, 2);
    FAIL();
  } catch (const DataError& error) {
    EXPECT_TRUE(testing::contains(error.what(), "metrics.csv:4: more than 2 rows; a larger"));
  }
  folder.write("metrics.csv", "round,loss\n0," + std::string(4000, ' '));
  EXPECT_THROW(read_metrics(file, 2), DataError);
}

}  // namespace
}  // namespace driftless
