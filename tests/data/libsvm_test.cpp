#include "driftless/data/libsvm.hpp"

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/data_files.hpp"

namespace driftless::testing {
namespace {

const std::string small = "# two classes\n+1 1:0.5 3:-2e1 # first\n\n-1.0\t2:1\r\n1 4:7#last\n-1";

TEST(Libsvm, ReadsLabelsAndEntries) {
  const TemporaryFolder folder;
  const Dataset data = read_libsvm(folder.write("a.svm", small));
  EXPECT_EQ(data.samples(), 4);
  EXPECT_EQ(data.features, 4);
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"-1", "1"}));
  EXPECT_EQ(data.labels, (std::vector<std::int32_t>{1, 0, 1, 0}));
  EXPECT_EQ(data.images(), nullptr);
  const std::vector<std::vector<double>> expected = {
      {0.5, 0, -20, 0}, {0, 1, 0, 0}, {0, 0, 0, 7}, {0, 0, 0, 0}};
  for (SampleId s = 0; s < 4; ++s) {
    std::vector<double> out(4, 99);
    read_sample(data, s, out.data());
    EXPECT_EQ(out, expected[s]);
    std::vector<float> single(4, 99);
    read_sample(data, s, single.data());
    EXPECT_EQ(std::vector<double>(single.begin(), single.end()), expected[s]);
  }
}

TEST(Libsvm, KeepsTheChosenSamplesAndTheFiguresOfAll) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.svm", "1 1:5 4:2\n-1 2:7\n1 3:1\n");
  const Dataset all = read_libsvm(file);
  const Dataset some = read_libsvm(file, {}, nullptr, [](const Dataset& train) {
    EXPECT_EQ(train.labels, (std::vector<std::int32_t>{1, 0, 1}));
    return std::vector<bool>{false, true, false};
  });
  EXPECT_EQ(std::get<SparseRows>(some.inputs).values, (std::vector<double>{7}));
  double out[4];
  read_sample(some, 1, out);
  EXPECT_EQ(out[1], 7);
  EXPECT_EQ(some.features, all.features);
  EXPECT_EQ(some.labels, all.labels);
  EXPECT_EQ(some.fingerprint, all.fingerprint);
  folder.write("a.svm", "1 1:5 4:2\n-1 2:7\n1 3:1.5\n");
  EXPECT_NE(read_libsvm(file).fingerprint, all.fingerprint);
}

TEST(Libsvm, ClassesAscendAsNumbersNotAsText) {
  const TemporaryFolder folder;
  const Dataset data = read_libsvm(folder.write("a", "10 1:1\n9 1:1\n-0 1:1\n+9.0 1:1\n0 1:1\n"));
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"0", "9", "10"}));
  EXPECT_EQ(data.labels, (std::vector<std::int32_t>{2, 1, 0, 1, 0}));
  EXPECT_TRUE(data.class_places[1].ends_with("a:2"));
}

TEST(Libsvm, APackedFileIsTheSame) {
  const TemporaryFolder folder;
  const Dataset data = read_libsvm(folder.write("a.gz", gzip(small)));
  EXPECT_EQ(data.labels, (std::vector<std::int32_t>{1, 0, 1, 0}));
  EXPECT_EQ(std::get<SparseRows>(data.inputs).values, (std::vector<double>{0.5, -20, 1, 7}));
}

TEST(Libsvm, LinesAcrossBufferBoundariesAreWhole) {
  const TemporaryFolder folder;
  std::string text;
  for (int k = 1; k <= 30000; ++k)
    text += std::to_string(k % 3) + " " + std::to_string(k) + ":1.25\n";
  for (const std::string& bytes : {text, gzip(text)}) {
    const Dataset data = read_libsvm(folder.write("a", bytes));
    ASSERT_EQ(data.samples(), 30000);
    const auto& rows = std::get<SparseRows>(data.inputs);
    for (SampleId s = 0; s < data.samples(); ++s) {
      ASSERT_EQ(data.labels[s], (s + 1) % 3);
      ASSERT_EQ(rows.features[s], s);
      ASSERT_EQ(rows.values[s], 1.25);
    }
  }
}

TEST(Libsvm, TheTestFileHasTheFeaturesAndClassesOfTraining) {
  const TemporaryFolder folder;
  const Dataset train = read_libsvm(folder.write("train", small));
  const Dataset test = read_libsvm(folder.write("test", "1.0 1:3\n-1 2:4\n"), {}, &train);
  EXPECT_EQ(test.features, 4);
  EXPECT_EQ(test.class_names, train.class_names);
  EXPECT_EQ(test.labels, (std::vector<std::int32_t>{1, 0}));
  const auto fault = [&](const char* text) {
    return message_of<DataError>([&] { read_libsvm(folder.write("test", text), {}, &train); });
  };
  EXPECT_TRUE(contains(fault("1 1:3\n1 5:1\n"), "test:2: field 2: found \"5:1\""));
  EXPECT_TRUE(contains(fault("1 1:3\n3 1:1\n"),
                       "test:2: found the label \"3\", expected one of \"-1\" and \"1\" as in "
                       "training"));
  EXPECT_TRUE(contains(fault(""), "test: holds no sample"));
}

TEST(Libsvm, ReadsNumbersToForetell) {
  const TemporaryFolder folder;
  const auto file = folder.write("a", "0.5 1:1\n-2e1 2:1\n0.25\n");
  const Dataset data = read_libsvm(file, {.label_type = LabelType::numbers});
  EXPECT_EQ(data.targets, (std::vector<double>{0.5, -20, 0.25}));
  EXPECT_EQ(data.samples(), 3);
  EXPECT_EQ(data.classes(), 0);
  EXPECT_TRUE(contains(message_of<DataError>([&] { read_libsvm(file); }),
                       "a:1: found the label \"0.5\" among 3 different ones: these are numbers to "
                       "foretell, not classes"));
}

TEST(Libsvm, ReadsSamplesWithAndWithoutLabelsToForetell) {
  const TemporaryFolder folder;
  const Dataset train = read_libsvm(folder.write("train", small));
  const auto file = folder.write("new", "7 1:3\n2:4 3:5\n");
  const Dataset data = read_libsvm(file, {.label_type = LabelType::none}, &train);
  EXPECT_EQ(data.samples(), 2);
  EXPECT_EQ(data.unlabelled, 2);
  EXPECT_EQ(std::get<SparseRows>(data.inputs).values, (std::vector<double>{3, 4, 5}));
  EXPECT_EQ(std::get<SparseRows>(data.inputs).features, (std::vector<std::int32_t>{0, 1, 2}));
}

TEST(Libsvm, AHostileFileIsRefusedWithItsLineAndField) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", ": holds no sample"},
      {"# only a comment\n\n", ": holds no sample"},
      {"1\n-1\n", ": holds no feature"},
      {"x 1:1\n", ":1: field 1: found \"x\", expected a finite number as the label"},
      {"1,2 1:1\n", ":1: field 1: found \"1,2\""},
      {"nan 1:1\n", ":1: field 1: found \"nan\""},
      {"inf 1:1\n", ":1: field 1: found \"inf\""},
      {"1e999 1:1\n", ":1: field 1: found \"1e999\""},
      {"1 1\n", ":1: field 2: found \"1\", expected index:value"},
      {"1 1:1 2\n", ":1: field 3: found \"2\""},
      {"1 0:1\n", ":1: field 2: found \"0:1\", expected an index from 1 to 1000000000"},
      {"1 -1:1\n", ":1: field 2: found \"-1:1\""},
      {"1 1.5:1\n", ":1: field 2: found \"1.5:1\""},
      {"1 :1\n", ":1: field 2: found \":1\""},
      {"1 1:\n", ":1: field 2: found \"1:\", expected a finite value"},
      {"1 1:x\n", ":1: field 2: found \"1:x\""},
      {"1 1:1:1\n", ":1: field 2: found \"1:1:1\""},
      {"1 1:nan\n", ":1: field 2: found \"1:nan\""},
      {"1 1:1e400\n", ":1: field 2: found \"1:1e400\""},
      {"1 1:1\n1 3:1 2:1\n", ":2: field 3: found \"2:1\", expected an index above 3"},
      {"1 1:1\n\n1 2:1 2:1\n", ":3: field 3: found \"2:1\", expected an index above 2"},
      {"1 4000000000:1\n", ":1: field 2: found \"4000000000:1\""},
      {"1 99999999999999999999:1\n", ":1: field 2: found \"99999999999999999999:1\""},
      {"1 qid:3 1:1\n", ":1: field 2: found \"qid:3\""},
      {std::string("1 1:1\0\n", 7), ":1: field 2: found \"1:1"},
      {gzip("1 1:1\n1 x\n"), ":2: field 2: found \"x\""},
      {gzip("1 1:1\n").substr(0, 20), ": byte 20: ends within its packed data"},
      {std::string(70 << 20, '1'), ":1: a line of more than 67108864 bytes"},
  };
  const TemporaryFolder folder;
  for (const auto& [text, message] : cases) {
    const auto file = folder.write("input", text);
    const std::string fault = message_of<DataError>([&] { read_libsvm(file); });
    EXPECT_NE(fault.find("input" + message), std::string::npos) << message << "\n" << fault;
  }
}

TEST(Libsvm, AMissingFileOrAFolderIsRefused) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_libsvm(folder / "none"), DataError);
  EXPECT_THROW(read_libsvm(folder.path()), DataError);
}

// A sample of two bytes takes twelve in memory: without a bound, a few packed bytes fill it.
TEST(Libsvm, RefusesTinySamplesThatPackToNothing) {
  const TemporaryFolder folder;
  std::string samples = "1 1:1\n";
  for (int k = 0; k < 15'000'000; ++k) samples += "1\n";
  const auto file = folder.write("a.gz", gzip(samples));
  EXPECT_TRUE(contains(message_of<DataError>([&] { read_libsvm(file); }),
                       ": unpacks to more than 100 times its size"));
}

TEST(Libsvm, NoticesAFileThatChangesWhileItIsRead) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.svm", "1 1:5\n-1 2:7\n");
  const auto choose = [&](const Dataset&) {
    folder.write("a.svm", "1 1:5\n-1 2:7\n1 3:1\n");
    return std::vector<bool>{true, true};
  };
  EXPECT_EQ(message_of<DataError>([&] { read_libsvm(file, {}, nullptr, choose); }),
            file.string() + ": was changed while it was read");
}

}  // namespace
}  // namespace driftless::testing
