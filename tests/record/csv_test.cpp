#include "driftless/record/csv.hpp"

#include <gtest/gtest.h>

#include <system_error>

#include "tests/support/temporary_folder.hpp"

namespace driftless {
namespace {

TEST(Csv, QuotesOnlyFieldsThatNeedIt) {
  EXPECT_EQ(csv_field("k-gt"), "k-gt");
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("two words"), "two words");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_field("\r"), "\"\r\"");
}

TEST(Csv, JoinsFieldsToALine) {
  EXPECT_EQ(csv_line({"a", "", "b,c"}), "a,,\"b,c\"\n");
  EXPECT_EQ(csv_line({"alone"}), "alone\n");
}

TEST(CsvFile, HoldsTheLinesInOrderOnceFlushed) {
  const testing::TemporaryFolder folder;
  CsvFile file(folder / "some.csv");
  file.append("a,b\n");
  file.append("1,2\n");
  file.flush_to_disk();
  EXPECT_EQ(testing::contents_of(folder / "some.csv"), "a,b\n1,2\n");
}

TEST(CsvFile, NamesThePathThatCannotBeWritten) {
  try {
    CsvFile file("/proc/driftless/metrics.csv");
    FAIL() << "it opened";
  } catch (const std::system_error& error) {
    EXPECT_NE(std::string(error.what()).find("/proc/driftless/metrics.csv"), std::string::npos);
  }
}

TEST(CsvFile, TellsThatTheDiskIsFull) {
  CsvFile file("/dev/full");
  file.append("a\n");
  EXPECT_THROW(file.flush(), std::system_error);
}

}  // namespace
}  // namespace driftless
