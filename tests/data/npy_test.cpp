#include "driftless/data/npy.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "driftless/base/error.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/numpy_files.hpp"

namespace driftless::testing {
namespace {

const std::string three_rows = bytes_of<double>({1, 2, 0, 3, 4, 1, 5, 6, 0});

TEST(NpyData, ReadsATableWithTheLabelsInTheLastColumn) {
  const TemporaryFolder folder;
  for (const int version : {1, 2, 3}) {
    const auto file = folder.write("a.npy", npy("<f8", "(3, 3)", three_rows, false, version));
    const Dataset data = read_npy(file);
    EXPECT_EQ(data.features, 2);
    EXPECT_EQ(data.class_names, (std::vector<std::string>{"0", "1"}));
    EXPECT_EQ(data.class_places[1], file.string() + ": row 1");
    EXPECT_EQ(data.labels, (std::vector<std::int32_t>{0, 1, 0}));
    EXPECT_EQ(std::get<DenseRows>(data.inputs).values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  }
}

TEST(NpyData, ReadsTheColumnThatIsNamedAndEitherOrder) {
  const TemporaryFolder folder;
  const std::string by_columns = bytes_of<double>({1, 3, 5, 2, 4, 6, 0, 1, 0});
  const Dataset data = read_npy(folder.write("a.npy", gzip(npy("<f8", "(3,3)", by_columns, true))),
                                {.label_type = LabelType::numbers, .label = "1"});
  EXPECT_EQ(data.targets, (std::vector<double>{2, 4, 6}));
  EXPECT_EQ(std::get<DenseRows>(data.inputs).values, (std::vector<double>{1, 0, 3, 1, 5, 0}));
}

template <class Number>
void expect_read(const std::string& type, const std::vector<Number>& numbers) {
  const std::string shape = fmt::format("({},)", numbers.size());
  const NpyArray array = parse_npy(npy(type, shape, bytes_of(numbers)), "a");
  EXPECT_EQ(array.numbers, (std::vector<double>(numbers.begin(), numbers.end()))) << type;
}

TEST(NpyData, ReadsEveryTypeOfNumber) {
  expect_read<float>("<f4", {0.5F, -3e30F});
  expect_read<double>("<f8", {0.1, -1e300});
  expect_read<std::int8_t>("|i1", {-128, 127});
  expect_read<std::int16_t>("<i2", {-32768, 32767});
  expect_read<std::int32_t>("<i4", {std::numeric_limits<std::int32_t>::min(), 7});
  expect_read<std::int64_t>("<i8", {-(std::int64_t{1} << 53), 7});
  expect_read<std::uint8_t>("|u1", {0, 255});
  expect_read<std::uint8_t>("|b1", {0, 1});
  expect_read<std::uint16_t>("<u2", {65535});
  expect_read<std::uint32_t>("<u4", {4294967295U});
  expect_read<std::uint64_t>("<u8", {std::uint64_t{1} << 63});
}

// a, é, 鷗 and 🦆 take one to four bytes of UTF-8.
TEST(NpyData, ReadsTextsAsUtf8) {
  const std::string letters = bytes_of<std::uint32_t>({'a', 0xe9, 0x9dd7, 0x1f986, 'b', 0, 0, 0});
  EXPECT_EQ(parse_npy(npy("<U4", "(2,)", letters), "a").texts,
            (std::vector<std::string>{"aé鷗🦆", "b"}));
}

TEST(NpyData, SamplesToForetellHaveTheFeaturesOfTraining) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.npy", npy("<f8", "(3, 3)", three_rows));
  const Dataset train = read_npy(file);
  const ReadOptions none{.label_type = LabelType::none};
  EXPECT_EQ(read_npy(file, none, &train).unlabelled, 3);  // the labels are left out
  const auto other = folder.write("b.npy", npy("<f8", "(2, 2)", three_rows.substr(0, 32)));
  EXPECT_EQ(read_npy(other, none, &train).unlabelled, 2);
  EXPECT_TRUE(contains(message_of<DataError>([&] { read_npy(other, {}, &train); }),
                       "b.npy: found 1 features, expected 2 as in training"));
}

TEST(NpyData, AHostileFileIsRefused) {
  const auto with_header = [](const std::string& header) { return npy_with_header(header, ""); };
  const double infinite = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", ": is no array that numpy saved"},
      {"\x93NUMPY", ": is no array that numpy saved"},
      {"\x93NUMPY\x01", ": is no array that numpy saved"},
      {std::string("\x93NUMPY\x04\x00\x01\x00{", 11), ": version 4 of the format, expected 1 to 3"},
      {std::string("\x93NUMPY\x02\x00\xff\xff", 10), ": ends within its header"},
      {std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{", 13), ": ends within its header"},
      {with_header(""), ": its header is not as numpy writes it: at its byte 0, expected \"{\""},
      {with_header("{}"), "expected descr, fortran_order and shape"},
      {with_header("{'descr': '<f8'"), "at its byte 15, expected a comma"},
      {with_header("{'descr': '<f8', 'descr': '<f8'}"), "once each, not 'descr'"},
      {with_header("{'descr': '<f8"), "expected a closing quote"},
      {with_header("{'shape': (1 2)}"), "expected a comma"},
      {with_header("{'shape': (-1,)}"), "expected a whole number"},
      {with_header("{'shape': (99999999999999999999,)}"), "expected a whole number"},
      {with_header("{'fortran_order': 1}"), "expected \"False\""},
      {with_header("{'descr': [('a', '<f8')]}"), "an array of the type 'several fields'"},
      {npy(">f8", "(1, 1)", "12345678"), "an array of the type '>f8', expected numbers of little"},
      {npy("|O", "(1, 1)", "12345678"), "an array of the type '|O'"},
      {npy("<f16", "(1, 1)", "12345678"), "an array of the type '<f16'"},
      {npy("<U0", "(1, 1)", ""), "an array of the type '<U0'"},
      {npy("<f8", "(2, 2)", three_rows), ": an array of the shape (2, 2) with 8 bytes an element"},
      {npy("<f8", "(9223372036854775807, 9223372036854775807)", three_rows), "but 72 bytes follow"},
      {npy("<f8", "(2305843009213693952, 1)", ""), "but 0 bytes follow"},
      {gzip(npy("<f8", "(1000000, 1000000)", three_rows)), "but 72 bytes follow"},
      {npy("<f8", "(0, 3)", ""), "of the shape (0, 3), expected one or two dimensions"},
      {npy("<f8", "(1, 1, 9)", three_rows), "of the shape (1, 1, 9), expected one or two"},
      {npy("<f8", "()", "12345678"), "of the shape ()"},
      {npy("<f8", "(9,)", three_rows), ": holds one row of numbers, expected a table"},
      {npy("<f8", "(9, 1)", three_rows), ": one column, expected features and labels"},
      {npy("<f8", "(1, 3)", bytes_of<double>({1, infinite, 0})), ": row 0, column 1: found inf"},
      {npy("<f8", "(2, 2)", bytes_of<double>({1, 0, 1, 0.5})), ": row 1: found the label \"0.5\""},
      {gzip(npy("<f8", "(5000000, 4)", zeros(160'000'000))), "more than 100 times"},
  };
  const TemporaryFolder folder;
  for (const auto& [bytes, message] : cases) {
    const auto file = folder.write("a.npy", bytes);
    EXPECT_TRUE(contains(message_of<DataError>([&] { read_npy(file); }), message));
  }
  const auto file = folder.write("a.npy", npy("<f8", "(3, 3)", three_rows));
  for (const char* label : {"3", "-1", "age"}) {
    EXPECT_TRUE(contains(message_of<DataError>([&] { read_npy(file, {.label = label}); }),
                         "names no column; this is .npy: columns have the numbers 0 to 2"));
  }
}

}  // namespace
}  // namespace driftless::testing
