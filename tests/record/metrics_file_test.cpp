#include "driftless/record/metrics_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "driftless/base/error.hpp"
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
  const std::vector<Metrics> rows = read_metrics(folder.write("metrics.csv", text));
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
    EXPECT_EQ(read_metrics(file).size(), 1U) << size << " bytes of the second row";
  }
}

TEST(MetricsFile, IsRefusedWithOtherColumns) {
  const testing::TemporaryFolder folder;
  EXPECT_THROW(read_metrics(folder.write("metrics.csv", "round,loss\n0,1\n")), DataError);
  EXPECT_THROW(read_metrics(folder / "none.csv"), DataError);
}

}  // namespace
}  // namespace driftless
