#include "driftless/base/regular_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "driftless/base/error.hpp"
#include "tests/support/data_files.hpp"

namespace driftless::testing {
namespace {

std::string file_refusal(const std::filesystem::path& file) {
  return message_of<DataError>([&] { read_file(file); });
}

// Nobody writes to the fifo: one who waited for it would wait for ever.
TEST(RegularFile, IsAllThatIsRead) {
  const TemporaryFolder folder;
  const auto fifo = folder / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(file_refusal(fifo), fifo.string() + ": is a fifo, expected a regular file");
  EXPECT_EQ(file_refusal(folder.path()),
            folder.path().string() + ": is a folder, expected a regular file");
  EXPECT_EQ(file_refusal("/dev/zero"), "/dev/zero: is a device, expected a regular file");
  EXPECT_EQ(file_refusal(folder / "none"),
            (folder / "none").string() + ": cannot be read: No such file or directory");
}

TEST(ReadFile, GivesAllBytes) {
  const TemporaryFolder folder;
  const std::string bytes("a\0b\n\xff", 5);
  EXPECT_EQ(read_file(folder.write("bytes", bytes)), bytes);
  EXPECT_EQ(read_file(folder.write("empty", "")), "");
}

TEST(ReadFile, RefusesAFileThatIsLargerThanAllowed) {
  const TemporaryFolder folder;
  const auto file = folder.write("five", "12345");
  EXPECT_EQ(read_file(file, 5), "12345");
  EXPECT_EQ(message_of<DataError>([&] { read_file(file, 4); }),
            file.string() + ": has 5 bytes, expected at most 4");
}

}  // namespace
}  // namespace driftless::testing
