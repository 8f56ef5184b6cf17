#include "driftless/data/load.hpp"

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/data/format.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/numpy_files.hpp"

namespace driftless::testing {
namespace {

// The same three samples in every format but IDX: features (1, 0), (0, 2), (3, 4); labels 0, 1, 0.
const std::string csv = "a,b,label\n1,0,0\n0,2,1\n3,4,0\n";
const std::string libsvm = "0 1:1\n1 2:2\n0 1:3 2:4\n";
const std::string npy_table = npy("<f8", "(3, 3)", bytes_of<double>({1, 0, 0, 0, 2, 1, 3, 4, 0}));
const std::string npz = zip({{"X.npy", npy("<f8", "(3, 2)", bytes_of<double>({1, 0, 0, 2, 3, 4}))},
                             {"y.npy", npy("|b1", "(3,)", std::string("\0\1\0", 3))}});

TEST(DataFormat, IsTakenFromWhatAFileHolds) {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, DataFormat>> cases = {
      {csv, DataFormat::csv},          {"\xef\xbb\xbf\"a b\",c\n", DataFormat::csv},
      {libsvm, DataFormat::libsvm},    {"# comment\n\n-1.5\t7:2\r\n", DataFormat::libsvm},
      {"1\n", DataFormat::libsvm},     {"3:1 4:2\n", DataFormat::libsvm},
      {"x 1:1\n", DataFormat::libsvm}, {npy_table, DataFormat::npy},
      {npz, DataFormat::npz},
  };
  for (const auto& [bytes, format] : cases) {
    EXPECT_EQ(format_of(folder.write("any.txt", bytes)), format) << bytes;
    if (format == DataFormat::npz) continue;
    EXPECT_EQ(format_of(folder.write("any.txt", gzip(bytes))), format) << bytes;
  }
  EXPECT_EQ(format_of(folder.path()), DataFormat::idx);
}

TEST(DataFormat, WhatIsNoneOfThemIsRefused) {
  const TemporaryFolder folder;
  const auto fault = [&](const std::string& bytes) {
    return message_of<DataError>([&] { format_of(folder.write("any", bytes)); });
  };
  EXPECT_TRUE(
      contains(fault(std::string("\x89PNG\r\n\x1a\n\0\0", 10)),
               "any: is in no format that is read, expected a folder of IDX files, or a file "
               "as CSV, LIBSVM, .npy or .npz"));
  EXPECT_TRUE(contains(fault(gzip(npz)), "any: is a .npz within gzip; unpack it with gunzip"));
  EXPECT_TRUE(
      contains(fault(idx(labels_magic, {1}, "\1")), "any: is one IDX file; name the folder"));
  EXPECT_TRUE(contains(fault(""), "any: holds no sample"));
  EXPECT_TRUE(contains(fault("# nothing\n\n"), "any: holds no sample"));
}

TEST(DataFormat, OptionsOfOtherFormatsAreRefused) {
  const TemporaryFolder folder;
  const auto fault = [&](const std::string& bytes, const ReadOptions& options) {
    const auto file = folder.write("any", bytes);
    return message_of<DataError>([&] { read_dataset(file, options); });
  };
  EXPECT_TRUE(contains(fault(libsvm, {.label = "b"}),
                       "any: is LIBSVM: its labels come first on each line; remove label"));
  EXPECT_TRUE(contains(fault(npy_table, {.ignore = {"b"}}),
                       "any: is .npy: its columns have no names; remove ignore"));
  EXPECT_TRUE(contains(fault(csv, {}), "this is CSV; name the column to learn"));
}

TEST(LoadData, GivesTheSameSamplesInEveryFormat) {
  const TemporaryFolder folder;
  const double expected[3][2] = {{1, 0}, {0, 2}, {3, 4}};
  for (const std::string& bytes : {csv, libsvm, npy_table, npz}) {
    const auto file = folder.write("any", bytes);
    const ReadOptions options{.label = bytes == csv ? "label" : ""};
    const auto choose = [](const Dataset& train) {
      EXPECT_EQ(train.labels, (std::vector<std::int32_t>{0, 1, 0}));
      return std::vector<bool>{false, true, true};
    };
    const LabelledData all = load_data(file, file, {}, options);
    const LabelledData some = load_data(file, {}, choose, options);
    EXPECT_EQ(all.train.class_names, (std::vector<std::string>{"0", "1"}));
    EXPECT_EQ(all.test->labels, all.train.labels);
    EXPECT_EQ(some.train.fingerprint, all.train.fingerprint);
    EXPECT_FALSE(some.test.has_value());
    for (SampleId s = 0; s < 3; ++s) {
      double out[2];
      read_sample(all.train, s, out);
      EXPECT_EQ(out[0], expected[s][0]);
      EXPECT_EQ(out[1], expected[s][1]);
      if (s == 0) continue;
      read_sample(some.train, s, out);
      EXPECT_EQ(out[0], expected[s][0]);
      EXPECT_EQ(out[1], expected[s][1]);
    }
    if (const auto* rows = std::get_if<DenseRows>(&some.train.inputs)) {
      EXPECT_EQ(rows->values, (std::vector<double>{0, 2, 3, 4}));
    }
    EXPECT_EQ(data_files(file), std::vector{file});
  }
}

TEST(LoadData, ReadsTheTrainingPairOfAFolderAsOneDataset) {
  const TemporaryFolder folder;
  write_small_images(folder);
  const Dataset train = read_dataset(folder.path());
  EXPECT_EQ(train.samples(), 3);
  const auto file = folder.write("any.csv", csv);
  EXPECT_TRUE(
      contains(message_of<DataError>([&] { read_dataset(file, {.label = "label"}, &train); }),
               "is CSV, expected a folder of IDX files: the training data are images"));
}

}  // namespace
}  // namespace driftless::testing
