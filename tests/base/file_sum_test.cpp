#include "driftless/base/file_sum.hpp"

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless {
namespace {

// The check value of CRC-32 as the catalogues of CRCs give it.
TEST(FileSum, IsTheCrcOfTheStandard) {
  const FileSum sum = sum_of("123456789");
  EXPECT_EQ(sum.bytes, 9U);
  EXPECT_EQ(sum.crc, 0xcbf43926U);
}

TEST(FileSum, IsTheSameInPiecesAndFromTheDisk) {
  const std::string text(200'000, 'x');
  FileSum pieces;
  pieces.add(text.substr(0, 77));
  pieces.add(text.substr(77));
  const testing::TemporaryFolder folder;
  EXPECT_EQ(pieces, sum_of(text));
  EXPECT_EQ(sum_of_file(folder.write("some", text)), sum_of(text));
  EXPECT_THROW(sum_of_file(folder / "none"), DataError);
}

TEST(FileSum, GoesThroughJson) {
  const FileSums sums{{"a", {.bytes = 1, .crc = 0x0000beef}}, {"b c", {.bytes = 0, .crc = 0}}};
  EXPECT_EQ(to_json_object(sums)["a"]["crc32"], "0000beef");
  EXPECT_EQ(file_sums_in(to_json_object(sums)), sums);
}

TEST(FileSum, IsNotReadFromAnythingElse) {
  for (const char* text :
       {"[]", "3", R"({"a": 1})", R"({"a": {"bytes": 1}})", R"({"a": {"bytes": -1, "crc32": "0"}})",
        R"({"a": {"bytes": 1, "crc32": 0}})", R"({"a": {"bytes": 1, "crc32": "xyz"}})",
        R"({"a": {"bytes": 1, "crc32": "123456789"}})"}) {
    EXPECT_FALSE(file_sums_in(nlohmann::json::parse(text))) << text;
  }
}

}  // namespace
}  // namespace driftless
