#include "driftless/record/csv.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
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
  CsvFile file(Folder(folder.path()), "some.csv", "a,b\n");
  file.append("1,2\n");
  EXPECT_EQ(testing::contents_of(folder / "some.csv"), "a,b\n");
  file.flush_to_disk();
  EXPECT_EQ(testing::contents_of(folder / "some.csv"), "a,b\n1,2\n");
  EXPECT_EQ(file.sum(), sum_of("a,b\n1,2\n"));
}

TEST(CsvFile, ReplacesALinkInsteadOfWritingBehindIt) {
  const testing::TemporaryFolder folder;
  folder.write("mine.txt", "precious");
  std::filesystem::create_symlink("mine.txt", folder / "some.csv");
  CsvFile file(Folder(folder.path()), "some.csv", "a\n");
  file.append("1\n");
  file.flush();
  EXPECT_EQ(testing::contents_of(folder / "mine.txt"), "precious");
  EXPECT_FALSE(std::filesystem::is_symlink(folder / "some.csv"));
  EXPECT_EQ(testing::contents_of(folder / "some.csv"), "a\n1\n");
}

// Files of this process may grow to so many bytes, and the file system says so.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(CsvFile, TakesBackALineThatFindsNoRoomAndNamesThePath) {
  const testing::TemporaryFolder folder;
  CsvFile file(Folder(folder.path()), "some.csv", "a,b\n");
  const FileSizeLimit limit(6);
  file.append("1,2\n");
  try {
    file.flush();
    FAIL() << "there was room";
  } catch (const std::system_error& error) {
    EXPECT_NE(std::string(error.what()).find("some.csv"), std::string::npos) << error.what();
  }
  EXPECT_EQ(testing::contents_of(folder / "some.csv"), "a,b\n");
}

}  // namespace
}  // namespace driftless
