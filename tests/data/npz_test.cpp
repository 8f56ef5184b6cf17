#include "driftless/data/npz.hpp"

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/numpy_files.hpp"

namespace driftless::testing {
namespace {

const std::string table = npy("<f4", "(2, 2)", bytes_of<float>({1, 2, 3, 4}));
const std::string classes = npy("<i8", "(2,)", bytes_of<std::int64_t>({7, -7}));

TEST(NpzData, ReadsStoredAndDeflatedArrays) {
  const TemporaryFolder folder;
  const std::vector<Zipped> stored = {{"X.npy", table}, {"y.npy", classes}};
  const std::vector<Zipped> packed = {deflated("targets.npy", classes),
                                      deflated("data.npy", table)};
  std::vector<std::uint64_t> fingerprints;
  for (const std::string& bytes : {zip(stored), zip(packed)}) {
    const auto file = folder.write("a.npz", bytes);
    const Dataset data = read_npz(file);
    EXPECT_EQ(data.features, 2);
    EXPECT_EQ(data.labels, (std::vector<std::int32_t>{1, 0}));
    EXPECT_EQ(data.class_names, (std::vector<std::string>{"-7", "7"}));
    EXPECT_EQ(data.class_places[0], file.string() + ": row 1");
    EXPECT_EQ(std::get<DenseRows>(data.inputs).values, (std::vector<double>{1, 2, 3, 4}));
    fingerprints.push_back(data.fingerprint);
  }
  EXPECT_EQ(fingerprints[0], fingerprints[1]);
}

TEST(NpzData, ReadsTextsNumbersAndTheArrayThatIsNamed) {
  const TemporaryFolder folder;
  const std::string texts = npy("<U1", "(2,)", bytes_of<std::uint32_t>({'q', 'p'}));
  const std::string numbers = npy("<f8", "(2, 1)", bytes_of<double>({0.5, 0.25}));
  const auto file =
      folder.write("a.npz", zip({{"X.npy", table}, {"kind.npy", texts}, {"size.npy", numbers}}));
  EXPECT_EQ(read_npz(file, {.label = "kind"}).class_names, (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(read_npz(file, {.label_type = LabelType::numbers, .label = "size"}).targets,
            (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(read_npz(file, {.label_type = LabelType::none}).unlabelled, 2);
  EXPECT_TRUE(contains(message_of<DataError>([&] { read_npz(file, {.label = "kin"}); }),
                       ": holds no array of labels named kin; its arrays are \"X\", \"kind\" and "
                       "\"size\"; did you mean kind?"));
  EXPECT_TRUE(contains(message_of<DataError>([&] { read_npz(file); }),
                       "labels named y, labels, label, target or targets"));
}

std::string fault_of(const std::string& bytes) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.npz", bytes);
  return message_of<DataError>([&] { read_npz(file); });
}

TEST(NpzData, AnArchiveThatLiesIsRefused) {
  const Zipped good{"X.npy", table};
  const Zipped labels{"y.npy", classes};
  const auto with = [&](const auto& change) {
    Zipped file = deflated("X.npy", table);
    change(file);
    return zip({file, labels});
  };
  const std::string whole = zip({good, labels});
  EXPECT_EQ(fault_of(whole), "");
  EXPECT_TRUE(contains(fault_of(""), "is an archive without its end; it was cut off"));
  EXPECT_TRUE(contains(fault_of(whole.substr(0, whole.size() - 1)), "without its end"));
  EXPECT_TRUE(contains(fault_of(whole.substr(9)), "is a damaged archive"));
  EXPECT_TRUE(contains(fault_of(with([](Zipped& file) { file.size += 1; })), "X is damaged"));
  EXPECT_TRUE(contains(fault_of(with([](Zipped& file) { file.size -= 1; })), "X is damaged"));
  EXPECT_TRUE(contains(fault_of(with([](Zipped& file) { file.sum ^= 1; })), "X is damaged"));
  EXPECT_TRUE(
      contains(fault_of(with([](Zipped& file) { file.packed_size -= 1; })), "X is damaged"));
  EXPECT_TRUE(
      contains(fault_of(with([](Zipped& file) { file.packed_size += 1; })), "entries overlap"));
  EXPECT_TRUE(contains(fault_of(with([](Zipped& file) { file.packed_size = 1 << 30; })),
                       "lie beyond its end"));
  EXPECT_TRUE(
      contains(fault_of(with([](Zipped& file) { file.contents[3] ^= 0x55; })), "X is damaged"));
  EXPECT_TRUE(contains(fault_of(with([](Zipped& file) { file.method = 12; })),
                       "packed in a way that numpy does not write"));
  EXPECT_TRUE(contains(fault_of(with([](Zipped& file) { file.size = 0xffffffff; })),
                       "an array of 4 GB or more; save it by itself as .npy"));
  EXPECT_TRUE(contains(fault_of(with([](Zipped& file) { file.size = 0xfffffff0; })),
                       "X unpacks to more than 100 times its size"));
}

// Two names for the same bytes: a small archive would stand for any number of large arrays.
TEST(NpzData, EntriesThatShareTheirBytesAreRefused) {
  std::string bytes = zip({{"X.npy", table}, {"y.npy", classes}});
  const std::size_t second = bytes.rfind("PK\1\2");
  bytes.replace(second + 42, 4, std::string(4, '\0'));
  EXPECT_TRUE(contains(fault_of(bytes), "is a damaged archive: entries overlap at byte 0"));
}

TEST(NpzData, ABombIsRefused) {
  const std::string bomb = npy("|u1", "(20000, 2000)", zeros(40'000'000));
  EXPECT_TRUE(contains(fault_of(zip({deflated("X.npy", bomb), {"y.npy", classes}})),
                       "X unpacks to more than 100 times its size"));
}

TEST(NpzData, ArraysThatDoNotFitAreRefused) {
  const std::string three = npy("<i8", "(3,)", bytes_of<std::int64_t>({1, 2, 3}));
  EXPECT_TRUE(contains(fault_of(zip({{"X.npy", table}, {"y.npy", three}})),
                       "found labels of the shape (3), expected one for each of 2 samples"));
  EXPECT_TRUE(
      contains(fault_of(zip({{"X.npy", three}, {"y.npy", three}})), "features of one dimension"));
  EXPECT_TRUE(contains(fault_of(zip({{"y.npy", three}})), "holds no array of features named X, x"));
}

}  // namespace
}  // namespace driftless::testing
