#include "driftless/data/idx.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "driftless/base/error.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/data_files.hpp"

namespace driftless::testing {
namespace {

using namespace std::string_view_literals;
namespace fs = std::filesystem;

std::string fault_in(const fs::path& folder) {
  return message_of<DataError>([&] { read_idx_folder(folder); });
}

TEST(Idx, ReadsImagesLabelsAndClasses) {
  const TemporaryFolder folder;
  write_small_images(folder);
  const LabelledData data = read_idx_folder(folder.path());
  EXPECT_EQ(data.train.samples(), 3);
  EXPECT_EQ(data.train.features, 4);
  EXPECT_EQ(data.train.labels, (std::vector<std::int32_t>{0, 2, 1}));
  EXPECT_EQ(data.train.class_names, (std::vector<std::string>{"0", "1", "2"}));
  ASSERT_NE(data.train.images(), nullptr);
  EXPECT_EQ((*data.train.images())[1][0], 255);
  EXPECT_EQ((*data.train.images())[2][3], 0xcc);
  ASSERT_TRUE(data.test.has_value());
  EXPECT_EQ(data.test->labels, (std::vector<std::int32_t>{2}));
  EXPECT_EQ(data.test->class_names, data.train.class_names);
}

// Of 12 pixels two are 1, one each 0.2, 0.4, 0.6 and 0.8, the rest 0: mean 1/3, mean square 0.8/3.
TEST(Idx, NormalisesBothSetsByTheTrainingPixels) {
  const TemporaryFolder folder;
  write_small_images(folder);
  const LabelledData data = read_idx_folder(folder.path());
  const double deviation = std::round(1e4 * std::sqrt(0.8 / 3 - 1.0 / 9)) / 1e4;
  for (const Dataset* set : {&data.train, &*data.test}) {
    EXPECT_DOUBLE_EQ(set->images()->mean, 0.3333);
    EXPECT_DOUBLE_EQ(set->images()->deviation, deviation);
  }
  double out[4];
  read_sample(data.train, 2, out);
  EXPECT_DOUBLE_EQ(out[1], (0.4 - 0.3333) / deviation);
  float single[4];
  read_sample(*data.test, 0, single);
  EXPECT_FLOAT_EQ(single[3], static_cast<float>((4 / 255.0 - 0.3333) / deviation));
}

TEST(Idx, KeepsTheChosenImagesAndTheFiguresOfAll) {
  const TemporaryFolder folder;
  write_small_images(folder);
  const LabelledData all = read_idx_folder(folder.path());
  const LabelledData some = read_idx_folder(folder.path(), {}, [](const Dataset& train) {
    EXPECT_EQ(train.labels, (std::vector<std::int32_t>{0, 2, 1}));
    EXPECT_EQ(train.classes(), 3);
    return std::vector<bool>{false, true, false};
  });
  const Images& kept = *some.train.images();
  EXPECT_EQ(kept.pixels.size(), 4U);
  EXPECT_EQ(kept[1][0], 255);
  EXPECT_EQ(kept.mean, all.train.images()->mean);
  EXPECT_EQ(kept.deviation, all.train.images()->deviation);
  EXPECT_EQ(some.train.labels, all.train.labels);
  EXPECT_EQ(some.train.fingerprint, all.train.fingerprint);
  EXPECT_EQ(some.test->images()->pixels, all.test->images()->pixels);
}

// The labels are 7, 3 and 7: there are two classes, and none between them.
TEST(Idx, ClassesAreTheLabelsThatOccur) {
  const TemporaryFolder folder;
  write_small_images(folder);
  folder.write("train-labels-idx1-ubyte", idx(labels_magic, {3}, "\7\3\7"));
  folder.write("t10k-labels-idx1-ubyte", idx(labels_magic, {1}, "\3"));
  const LabelledData data = read_idx_folder(folder.path());
  EXPECT_EQ(data.train.class_names, (std::vector<std::string>{"3", "7"}));
  EXPECT_EQ(data.train.labels, (std::vector<std::int32_t>{1, 0, 1}));
  EXPECT_TRUE(data.train.class_places[0].ends_with("train-labels-idx1-ubyte: byte 9"));
  EXPECT_EQ(data.test->labels, (std::vector<std::int32_t>{0}));
}

TEST(Idx, NumbersAreRefused) {
  const TemporaryFolder folder;
  write_small_images(folder);
  const auto read = [&] { read_idx_folder(folder.path(), {.label_type = LabelType::numbers}); };
  EXPECT_TRUE(contains(message_of<DataError>(read), "a regression learns numbers; choose"));
}

TEST(Idx, ImagesWithoutLabelsAreNormalisedAsInTraining) {
  const TemporaryFolder folder;
  write_small_images(folder);
  const Dataset train = read_idx_folder(folder.path()).train;
  const TemporaryFolder other;
  other.write("train-images-idx3-ubyte", idx(images_magic, {1, 2, 2}, "\1\2\3\4"));
  const Dataset data = read_idx_pair(other.path(), {.label_type = LabelType::none}, &train);
  EXPECT_EQ(data.samples(), 1);
  EXPECT_EQ(data.images()->mean, train.images()->mean);
  EXPECT_THROW(read_idx_pair(other.path(), {}, &train), DataError);
}

TEST(Idx, OnePixelChangesTheFingerprint) {
  const TemporaryFolder folder;
  write_small_images(folder);
  const std::uint64_t before = read_idx_folder(folder.path()).train.fingerprint;
  std::string other = train_pixels;
  other.back() = '\xcd';
  folder.write("train-images-idx3-ubyte", idx(images_magic, {3, 2, 2}, other));
  EXPECT_NE(read_idx_folder(folder.path()).train.fingerprint, before);
}

TEST(Idx, ImagesOfOneGreyHaveDeviationOne) {
  const TemporaryFolder folder;
  folder.write("train-images-idx3-ubyte", idx(images_magic, {1, 1, 2}, "\x33\x33"));
  folder.write("train-labels-idx1-ubyte", idx(labels_magic, {1}, "\0"sv));
  const LabelledData data = read_idx_folder(folder.path());
  EXPECT_DOUBLE_EQ(data.train.images()->mean, 0.2);
  EXPECT_EQ(data.train.images()->deviation, 1);
  EXPECT_FALSE(data.test.has_value());
}

TEST(Idx, PackedAndDottedNamesGiveTheSameData) {
  const TemporaryFolder plain;
  write_small_images(plain);
  const LabelledData expected = read_idx_folder(plain.path());
  const TemporaryFolder other;
  for (const auto& file : fs::directory_iterator(plain.path())) {
    std::string name = file.path().filename().string();
    name[name.find("-idx")] = '.';
    const std::string bytes = contents_of(file.path());
    // Two packed parts in a file are one file, as gzip has it.
    other.write(name + ".gz", gzip(bytes.substr(0, 5)) + gzip(bytes.substr(5)));
  }
  const LabelledData data = read_idx_folder(other.path());
  EXPECT_EQ(data.train.images()->pixels, expected.train.images()->pixels);
  EXPECT_EQ(data.train.labels, expected.train.labels);
  EXPECT_EQ(data.test->images()->pixels, expected.test->images()->pixels);
}

struct Hostile {
  const char* file;
  std::string contents;
  std::string message;
};

TEST(Idx, AHostileFileIsRefusedWithItsByte) {
  const std::string images = idx(images_magic, {3, 2, 2}, train_pixels);
  const std::string packed = gzip(images);
  std::string damaged = packed;
  damaged[packed.size() - 6] ^= 1;  // in the checksum
  std::string garbled = packed;
  garbled[10] = '\xff';  // no kind of block
  const char* train = "train-images-idx3-ubyte";
  const char* labels = "train-labels-idx1-ubyte";
  const char* test = "t10k-images-idx3-ubyte";
  const char* test_labels = "t10k-labels-idx1-ubyte";
  constexpr std::uint32_t huge = 0x7fffffff;
  const std::vector<Hostile> cases = {
      {train, "", ": byte 0: the file ends within the magic number"},
      {train, std::string(2, '\0'), ": byte 2: the file ends within the magic number"},
      {train, "PNG image", ": byte 0: found the magic number 0x504e4720, expected 0x00000803"},
      {train, idx(labels_magic, {3}, "abc"), ": byte 0: found the magic number 0x00000801"},
      {train, idx(0xd03, {3, 2, 2}, train_pixels), ": byte 0: found the magic number 0x00000d03"},
      {train, idx(images_magic, {3, 2}, ""), ": byte 12: the file ends within the number of col"},
      {train, idx(images_magic, {3}, "\0"sv), ": byte 9: the file ends within the number of rows"},
      {train, idx(images_magic, {0, 2, 2}, ""), ": byte 4: found 0 as the number of samples"},
      {train, idx(images_magic, {3, 0, 2}, ""), ": byte 8: found 0 as the number of rows"},
      {train, idx(images_magic, {3, 2, 0}, ""), ": byte 12: found 0 as the number of columns"},
      {train, idx(images_magic, {0xffffffff, 2, 2}, ""), ": byte 4: found 4294967295 as the numb"},
      {train, idx(images_magic, {huge, huge, huge}, ""), ": byte 8: images of 2147483647 x 2147"},
      {train, idx(images_magic, {huge, 1 << 15, 1 << 15}, "abc"), ": byte 4: 2147483647 images of"},
      {train, images.substr(0, 20),
       ": byte 4: 3 images of 2 x 2 take 28 bytes with the header, but the file has 20"},
      {train, images + "x",
       ": byte 4: 3 images of 2 x 2 take 28 bytes with the header, but the file has 29"},
      {train, idx(images_magic, {2, 2, 2}, train_pixels.substr(0, 8)),
       "train-labels-idx1-ubyte: byte 4: found 3 labels, expected 2"},
      {train, gzip(images.substr(0, 20)),
       ": byte 20 unpacked: the data end, expected 8 bytes more for 3 images of 2 x 2"},
      {train, gzip(images + "x"), ": byte 28 unpacked: the data go on, expected their end"},
      {train, gzip(idx(images_magic, {3, 1 << 11, 1 << 11}, "abc")),
       ": byte 19 unpacked: the data end, expected 12582909 bytes more"},
      {train, packed.substr(0, packed.size() - 9), "ends within its packed data; it was cut off"},
      {train, packed.substr(0, 2), ": byte 2: ends within its packed data"},
      {train, damaged, "the packed data are damaged: incorrect data check"},
      {train, garbled, "the packed data are damaged: invalid block type"},
      {train, packed + "more",
       ": byte " + std::to_string(packed.size() + 2) +
           ": the packed data are damaged: incorrect header"},
      {labels, idx(labels_magic, {2}, "\0\1"sv),
       ": byte 4: found 2 labels, expected 3, as many as train-images-idx3-ubyte has images"},
      {labels, idx(labels_magic, {3}, "\0\1"sv), ": byte 4: 3 labels take 11 bytes"},
      {labels, images, ": byte 0: found the magic number 0x00000803, expected 0x00000801: labels"},
      {test, idx(images_magic, {1, 1, 4}, "abcd"), ": byte 8: found images of 1 x 4, expected 2 x"},
      {test, idx(images_magic, {1, 2, 1}, "ab"), ": byte 8: found images of 2 x 1, expected 2 x"},
      {test, idx(images_magic, {2, 2, 2}, "abcdefgh"),
       "t10k-labels-idx1-ubyte: byte 4: found 1 labels, expected 2"},
      {test_labels, idx(labels_magic, {1}, "\3"),
       ": byte 8: found the label \"3\", expected one of \"0\", \"1\" and \"2\" as in training"},
  };
  for (const Hostile& hostile : cases) {
    const TemporaryFolder folder;
    write_small_images(folder);
    folder.write(hostile.file, hostile.contents);
    // A message that begins with a colon is about the file itself.
    const bool itself = hostile.message.starts_with(':');
    EXPECT_TRUE(contains(fault_in(folder.path()), (itself ? hostile.file : "") + hostile.message));
  }
}

TEST(Idx, AMissingFileIsNamed) {
  for (const char* gone :
       {"train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1"}) {
    const TemporaryFolder folder;
    write_small_images(folder);
    fs::remove(folder / (std::string(gone) + "-ubyte"));
    EXPECT_TRUE(contains(fault_in(folder.path()), folder.path().string() + ": holds no " + gone));
  }
}

// 100 bytes that claim 21 GB: the sizes are compared before anything is unpacked.
TEST(Idx, RefusesAClaimThatItsPackedBytesCannotHold) {
  const TemporaryFolder folder;
  const std::string pixels(1000, '\0');
  const auto file = folder.write("train-images-idx3-ubyte.gz",
                                 gzip(idx(images_magic, {27'000'000, 28, 28}, pixels)));
  folder.write("train-labels-idx1-ubyte", idx(labels_magic, {3}, "012"));
  const std::string told = message_of<DataError>([&] { read_idx_folder(folder.path()); });
  EXPECT_EQ(told, file.string() +
                      ": byte 4 unpacked: 27000000 images of 28 x 28 take 21168000016 "
                      "bytes, which " +
                      std::to_string(std::filesystem::file_size(file)) +
                      " packed bytes do not hold");
}

}  // namespace
}  // namespace driftless::testing
