#include "driftless/base/byte_reader.hpp"

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/base/line_reader.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/data_files.hpp"

namespace driftless::testing {
namespace {

constexpr std::size_t million = 1'000'000;

// 40 MB of zeros take 39 kB. They are refused after the 16 MB that any file may hold and 100 times
// the bytes that were unpacked for that, some 16 kB.
TEST(ByteReader, StopsUnpackingWhereNoDataPackSoWell) {
  const TemporaryFolder folder;
  const auto file = folder.write("zeros.gz", gzip(std::string(40 * million, '\0')));
  ByteReader reader(file);
  std::size_t unpacked = 0;
  std::string piece(million, '\0');
  const std::string refusal = message_of<DataError>([&] {
    while (reader.read(piece.data(), piece.size()) > 0) unpacked += piece.size();
  });
  EXPECT_TRUE(refusal.starts_with(file.string() + ": byte ")) << refusal;
  EXPECT_TRUE(contains(refusal,
                       ": unpacks to more than 100 times its size, as no data do; if these "
                       "are your data, unpack the file with gunzip"));
  EXPECT_GE(unpacked, 16 * million);
  EXPECT_LE(unpacked, 18 * million);
}

TEST(ByteReader, UnpacksASmallFileWhateverItHolds) {
  const TemporaryFolder folder;
  ByteReader reader(folder.write("zeros.gz", gzip(std::string(15 * million, '\0'))));
  std::string all(16 * million, '\0');
  EXPECT_EQ(reader.read(all.data(), all.size()), 15 * million);
  EXPECT_EQ(reader.most_bytes(), 16 * million + 100 * reader.file_size());
}

TEST(LineReader, CountsBlankLines) {
  const TemporaryFolder folder;
  LineReader reader(folder.write("lines", "\n\n1\n\n\n \n2\n"), "#");
  std::vector<std::string_view> fields;
  ASSERT_TRUE(reader.next(fields));
  EXPECT_EQ(reader.place(), (folder / "lines").string() + ":3");
  ASSERT_TRUE(reader.next(fields));
  EXPECT_EQ(reader.place(), (folder / "lines").string() + ":7");
  EXPECT_FALSE(reader.next(fields));
}

}  // namespace
}  // namespace driftless::testing
