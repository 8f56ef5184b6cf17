#include "driftless/record/npy.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <vector>

#include "tests/support/temporary_folder.hpp"

namespace driftless {
namespace {

std::string written(std::span<const double> values, std::span<const Index> shape) {
  const testing::TemporaryFolder folder;
  const FileSum sum = write_npy(Folder(folder.path()), "some.npy", values, shape);
  std::string bytes = testing::contents_of(folder / "some.npy");
  EXPECT_EQ(sum, sum_of(bytes));
  return bytes;
}

// By the format's definition: magic, version 1.0, length of the header in two bytes, the header as
// a Python dictionary ended by a line break, and data from a multiple of 64 on.
void expect_file(const std::string& bytes, std::string_view dictionary,
                 std::span<const double> values) {
  ASSERT_GE(bytes.size(), 10U);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const std::size_t length =
      static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]);
  EXPECT_EQ((10 + length) % 64, 0U);
  ASSERT_EQ(bytes.size(), 10 + length + values.size_bytes());
  const std::string header = bytes.substr(10, length);
  EXPECT_EQ(header.substr(0, dictionary.size()), dictionary);
  EXPECT_EQ(header.find_first_not_of(' ', dictionary.size()), length - 1);
  EXPECT_EQ(header.back(), '\n');
  EXPECT_EQ(std::memcmp(bytes.data() + 10 + length, values.data(), values.size_bytes()), 0);
}

TEST(Npy, HoldsAVector) {
  const std::array values{1.5, -0.0, std::numeric_limits<double>::quiet_NaN()};
  expect_file(written(values, std::array{Index{3}}),
              "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", values);
}

TEST(Npy, HoldsAMatrixRowByRow) {
  const std::array values{1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
  expect_file(written(values, std::array{Index{2}, Index{3}}),
              "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", values);
}

TEST(Npy, AlignsTheDataWhateverTheLengthOfTheShape) {
  for (Index ones = 1; ones < 70; ++ones) {
    std::string dictionary = "{'descr': '<f8', 'fortran_order': False, 'shape': (1";
    for (Index k = 1; k < ones; ++k) dictionary += ", 1";
    dictionary += ones == 1 ? ",), }" : "), }";
    const std::array value{7.0};
    expect_file(written(value, std::vector<Index>(static_cast<std::size_t>(ones), 1)), dictionary,
                value);
  }
}

}  // namespace
}  // namespace driftless
