#include "driftless/data/csv.hpp"

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/data/csv_scanner.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/data_files.hpp"

namespace driftless::testing {
namespace {

using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

const std::string people =
    "age,income,owns\r\n"
    "31,2.5e3,yes\r\n"
    "-4, +0.5 ,\"no\"\r\n"
    "\r\n"
    "\"7\",1,yes";

const Numbers& values_of(const Dataset& data) { return std::get<DenseRows>(data.inputs).values; }

class CsvData : public ::testing::Test {
 protected:
  Dataset read(std::string_view text, const ReadOptions& options, const Dataset* like = nullptr) {
    return read_csv(folder_.write("table.csv", std::string(text)), options, like);
  }
  std::string fault(std::string_view text, const ReadOptions& options,
                    const Dataset* like = nullptr) {
    return message_of<DataError>([&] { read(text, options, like); });
  }
  std::string place(int line) {
    return (folder_ / "table.csv").string() + ":" + std::to_string(line);
  }

  TemporaryFolder folder_;
};

TEST_F(CsvData, ReadsFeaturesClassesAndNames) {
  const Dataset data = read(people, {.label = "owns"});
  EXPECT_EQ(data.samples(), 3);
  EXPECT_EQ(data.features, 2);
  EXPECT_EQ(data.feature_names, (Texts{"age", "income"}));
  EXPECT_EQ(data.class_names, (Texts{"no", "yes"}));
  EXPECT_EQ(data.class_places, (Texts{place(3), place(2)}));
  EXPECT_EQ(data.labels, (std::vector<std::int32_t>{1, 0, 1}));
  EXPECT_EQ(values_of(data), (Numbers{31, 2500, -4, 0.5, 7, 1}));
}

TEST_F(CsvData, ReadsNumbersToForetellAndIgnoresColumns) {
  const Dataset data =
      read(people, {.label_type = LabelType::numbers, .label = "age", .ignore = {"owns"}});
  EXPECT_EQ(data.targets, (Numbers{31, -4, 7}));
  EXPECT_EQ(data.feature_names, Texts{"income"});
  EXPECT_EQ(values_of(data), (Numbers{2500, 0.5, 1}));
}

TEST_F(CsvData, APackedFileAByteOrderMarkAndAnotherDelimiterMakeNoDifference) {
  const Dataset expected = read("a,b\n1,x\n2,y\n", {.label = "b"});
  for (const std::string text : {"\xef\xbb\xbf"
                                 "a,b\n1,x\n2,y",
                                 "a,b\r\n1,x\r\n2,y\r\n"}) {
    EXPECT_EQ(read(text, {.label = "b"}).fingerprint, expected.fingerprint);
    EXPECT_EQ(read(gzip(text), {.label = "b"}).fingerprint, expected.fingerprint);
  }
  EXPECT_EQ(read("a;b\n1;x\n2;y\n", {.label = "b", .delimiter = ';'}).fingerprint,
            expected.fingerprint);
  for (const char* other :
       {"a,b\n1,x\n3,y\n", "a,b\n1,x\n2,z\n", "c,b\n1,x\n2,y\n", "a,b\n1,y\n2,x\n"}) {
    EXPECT_NE(read(other, {.label = "b"}).fingerprint, expected.fingerprint) << other;
  }
}

TEST_F(CsvData, QuotesHoldDelimitersLineBreaksAndQuotes) {
  const Dataset data =
      read("\"a \"\"1\"\"\",\"b\nc\"\n1,\"x,\ny\"\n2,\"\"\"z\"\n", {.label = "b\nc"});
  EXPECT_EQ(data.feature_names, Texts{"a \"1\""});
  EXPECT_EQ(data.class_names, (Texts{"\"z", "x,\ny"}));
  EXPECT_EQ(data.class_places, (Texts{place(5), place(3)}));
}

// A slow transcription of RFC 4180, a character at a time, on random texts of what matters.
std::vector<Texts> slow_lines(const std::string& text) {
  std::vector<Texts> lines;
  for (std::size_t at = 0; at < text.size();) {
    Texts fields(1);
    bool quoted = false;
    for (; at < text.size() && (quoted || text[at] != '\n'); ++at) {
      if (quoted && text[at] == '"' && at + 1 < text.size() && text[at + 1] == '"') {
        fields.back() += text[at++];
      } else if (text[at] == '"') {
        quoted = !quoted;
      } else if (text[at] == ',' && !quoted) {
        fields.emplace_back();
      } else {
        fields.back() += text[at];
      }
    }
    ++at;
    lines.push_back(fields);
  }
  return lines;
}

TEST_F(CsvData, FieldsAreThoseOfASlowScannerAcrossBufferBoundaries) {
  const std::string parts[] = {"1",
                               "22.5",
                               "\"a,b\"",
                               "\"line\nbreak\"",
                               "\"q\"\"q\"",
                               "\"\"",
                               "longer than a word of eight bytes"};
  std::uint32_t state = 1;
  std::string text;
  while (text.size() < 3'500'000) {
    const std::uint32_t fields = 1 + state % 7;
    for (std::uint32_t k = 0; k < fields; ++k) {
      state = state * 1664525U + 1013904223U;
      text += (k > 0 ? "," : "") + parts[(state >> 16) % 7];
    }
    text += '\n';
  }
  const std::vector<Texts> expected = slow_lines(text);
  for (const std::string& bytes : {text, gzip(text)}) {
    CsvScanner scanner(folder_.write("parts.csv", bytes), ',');
    std::vector<std::string_view> fields;
    for (const Texts& line : expected) {
      ASSERT_TRUE(scanner.next(fields));
      ASSERT_EQ(Texts(fields.begin(), fields.end()), line);
    }
    EXPECT_FALSE(scanner.next(fields));
    EXPECT_EQ(scanner.line(), 1 + std::ranges::count(text, '\n'));
  }
}

// The scanner reads a megabyte at once: its end falls on every character of the second line.
TEST_F(CsvData, ALineMayBeCutAnywhereByTheEndOfTheBuffer) {
  const std::string line = "\"a\"\"b\",\"\r\n,\",c,\"\",\"d\"\r\nlast,\"e\"";
  for (std::size_t before = (1 << 20) - 48; before < (1 << 20) + 2; ++before) {
    CsvScanner scanner(folder_.write("cut.csv", std::string(before, 'x') + "\n" + line), ',');
    std::vector<std::string_view> fields;
    ASSERT_TRUE(scanner.next(fields));
    ASSERT_EQ(fields.size(), 1U);
    ASSERT_EQ(fields[0].size(), before);
    ASSERT_TRUE(scanner.next(fields));
    ASSERT_EQ(Texts(fields.begin(), fields.end()), (Texts{"a\"b", "\r\n,", "c", "", "d"}))
        << before;
    ASSERT_TRUE(scanner.next(fields));
    ASSERT_EQ(Texts(fields.begin(), fields.end()), (Texts{"last", "e"})) << before;
    ASSERT_EQ(scanner.line(), 4);
    ASSERT_FALSE(scanner.next(fields));
  }
}

TEST_F(CsvData, ClassesAscendAsNumbersWhereAllAreNumbers) {
  const Dataset data = read("a,b\n0,10\n0,9\n0,1.0\n0,+1\n0,-0\n", {.label = "b"});
  EXPECT_EQ(data.class_names, (Texts{"0", "1", "9", "10"}));
  EXPECT_EQ(data.labels, (std::vector<std::int32_t>{3, 2, 1, 1, 0}));
  EXPECT_EQ(data.class_places[1], place(4));
  const Dataset mixed = read("a,b\n0,10\n0,9\n0,1.0\n0,1\n0,x\n", {.label = "b"});
  EXPECT_EQ(mixed.class_names, (Texts{"1", "1.0", "10", "9", "x"}));
}

TEST_F(CsvData, GivenClassesHaveTheGivenOrderAndNoOthersAreThere) {
  const ReadOptions options{.label = "b", .classes = {"z", "1", "NA"}};
  const Dataset data = read("a,b\n0,1.0\n0,NA\n0,1\n", options);
  EXPECT_EQ(data.class_names, (Texts{"z", "1", "NA"}));
  EXPECT_EQ(data.labels, (std::vector<std::int32_t>{1, 2, 1}));
  EXPECT_EQ(data.class_places, (Texts{"", place(2), place(3)}));
  EXPECT_EQ(fault("a,b\n0,z\n0,y\n", options),
            place(3) +
                ": found the label \"y\", expected one of \"z\", \"1\" and \"NA\"; correct it, "
                "or add it to problem.classes");
}

// 31 labels of 9 samples each are numbers to foretell; 30 labels are not, nor are 10 samples each.
TEST_F(CsvData, NumbersToForetellAreNoClasses) {
  const auto table = [](int classes, int times) {
    std::string text = "a,b\n";
    for (int k = 0; k < classes * times; ++k)
      text += "0," + std::to_string(35 - k % classes) + "\n";
    return text;
  };
  const ReadOptions options{.label = "b"};
  EXPECT_EQ(fault(table(31, 10), options), "");
  EXPECT_EQ(fault(table(30, 1), options), "");
  EXPECT_TRUE(contains(fault(table(31, 9), options),
                       place(2) +
                           ": found the label \"35\" among 31 different ones: these are numbers "
                           "to foretell, not classes: choose problem.kind = \"linear\""));
  EXPECT_TRUE(contains(fault("a,b\n0,1\n0,0.5\n0,2\n", options), place(3) + ": found the label"));
  EXPECT_EQ(fault("a,b\n0,1\n0,0.5\n0,x\n", options), "");
}

TEST_F(CsvData, ATestTableHasTheColumnsAndClassesOfTraining) {
  const ReadOptions options{.label = "c", .ignore = {"id"}};
  const Dataset train = read("id,a,b,c\n1,2,3,x\n1,2,3,y\n", options);
  const Dataset test = read("c,a,b\ny,5,6\n", options, &train);
  EXPECT_EQ(test.labels, std::vector<std::int32_t>{1});
  EXPECT_EQ(test.class_names, train.class_names);
  EXPECT_EQ(values_of(test), (Numbers{5, 6}));
  const std::string first = place(1) + ": the column ";
  EXPECT_TRUE(
      contains(fault("a,c\n1,x\n", options, &train), first + "\"b\" of training is missing"));
  EXPECT_TRUE(
      contains(fault("a,d,b,c\n1,1,1,x\n", options, &train), first + "\"d\" is not in train"));
  EXPECT_TRUE(
      contains(fault("a,b,d,c\n1,1,1,x\n", options, &train), first + "\"d\" is not in train"));
  EXPECT_TRUE(
      contains(fault("b,a,c\n1,1,x\n", options, &train), first + "\"b\" is at another place"));
  EXPECT_TRUE(
      contains(fault("a,b,c\n1,1,z\n", options, &train),
               place(2) + ": found the label \"z\", expected one of \"x\" and \"y\" as in"));
}

TEST_F(CsvData, WithoutLabelsTheColumnsOfTrainingArePickedByName) {
  const Dataset train = read("a,b,c\n1,2,x\n3,4,y\n", {.label = "c"});
  const ReadOptions options{.label_type = LabelType::none, .label = "c"};
  const Dataset data = read("b,note,a\n5,hello,6\n7,,8\n", options, &train);
  EXPECT_EQ(data.samples(), 2);
  EXPECT_EQ(data.unlabelled, 2);
  EXPECT_EQ(values_of(data), (Numbers{6, 5, 8, 7}));
  EXPECT_EQ(data.feature_names, train.feature_names);
  EXPECT_EQ(data.class_names, train.class_names);
  EXPECT_TRUE(contains(fault("b,A\n5,6\n", options, &train),
                       place(1) +
                           ": the column \"a\" is not there; the columns are \"b\" and \"A\"; "
                           "did you mean A?"));
}

struct Faulty {
  std::string text;
  std::string message;  // after the file's name
  ReadOptions options = {.label = "b"};
};

TEST_F(CsvData, AFaultIsToldWithItsLineAndColumn) {
  const ReadOptions numbers{.label_type = LabelType::numbers, .label = "b"};
  const std::vector<Faulty> cases = {
      {"", ": is empty, expected a line of column names"},
      {"\n\r\n", ": is empty"},
      {"a,b\n", ": holds no sample, only the names of columns"},
      {"1,2\n3,4\n", ":1: every field is a number, expected the names of the columns; add a line"},
      {"a,,b\n1,2,3\n", ":1: column 2 has no name; give it one"},
      {"a,a,b\n1,2,3\n", ":1: two columns are named \"a\""},
      {"a,b\n1,x\n",
       ":1: this is CSV; name the column to learn with label = \"...\"; its columns are "
       "\"a\" and \"b\"",
       {}},
      {"a,income\n1,x\n",
       ":1: the label column \"incom\" is not there; the columns are \"a\" and "
       "\"income\"; did you mean income?",
       {.label = "incom"}},
      {"a;b\n1;x\n", "say delimiter = \";\""},
      {"a,b\n1,x\n",
       ":1: the column to ignore \"c\" is not there",
       {.label = "b", .ignore = {"c"}}},
      {"a,b\n1,x\n", ":1: no column is left to learn from", {.label = "b", .ignore = {"a"}}},
      {"a,b\n1,x\n2\n", ":3: found 1 fields, expected 2, as many as there are names of columns"},
      {"a,b\n1,x,2\n", ":2: found 3 fields, expected 2"},
      {"a,b\n1,x\n,y\n", ":3: column \"a\": the value is missing; fill it in or remove the line"},
      {"a,b\n n/a ,x\n", ":2: column \"a\": the value is missing"},
      {"a,b\nNaN,x\n", ":2: column \"a\": the value is missing"},
      {"a,b\n?,x\n", ":2: column \"a\": the value is missing"},
      {"a,b\nnull,x\n", ":2: column \"a\": the value is missing"},
      {"a,b\n1,NA\n", ":2: column \"b\": the value is missing"},
      {"a,b\n1,\n", ":2: column \"b\": the value is missing", numbers},
      {"a,b\n1 2,x\n", ":2: column \"a\": found \"1 2\", expected a finite number"},
      {"a,b\ninf,x\n", ":2: column \"a\": found \"inf\", expected a finite number"},
      {"a,b\n1e999,x\n", ":2: column \"a\": found \"1e999\""},
      {"a,b\n1,x\n", ":2: found the label \"x\", which is not a number; a regression learns",
       numbers},
      {"a,b\n1,inf\n", ":2: found the label \"inf\", which is not a number", numbers},
      {"a,b\n1,x\n2,\"y\n3,z\n", ":3: a quote begins here and is never closed"},
      {"a,b\n\"1\",\"x\ny\"\"\n", ":2: a quote begins here and is never closed"},
      {"a,b\n\"p\n\",\"y\n3,z\n", ":3: a quote begins here and is never closed"},
      {"a,b\n1,\"x\"y\n", ":2: text follows a closing quote"},
      {gzip("a,b\n1,x\n").substr(0, 20), ": byte 20: ends within its packed data"},
      {std::string("a,b\n1,x\0y\n2\0,z\n", 15), ":3: column \"a\": found \"2"},
  };
  for (const Faulty& faulty : cases) {
    EXPECT_TRUE(contains(fault(faulty.text, faulty.options), faulty.message)) << faulty.text;
  }
}

TEST_F(CsvData, AHostileTableIsRefusedBeforeItFillsTheMemory) {
  const ReadOptions options{.label = "b"};
  EXPECT_TRUE(
      contains(fault(std::string(1'100'000, ','), options), ":1: more than 1000000 columns"));
  EXPECT_TRUE(contains(fault("a,b\n" + std::string(1'100'000, ','), options), ":2: more than 100"));
  EXPECT_TRUE(contains(fault("a,b\n1,x\n1," + std::string(140 << 20, 'x'), options),
                       ":3: a line of more than 67108864 bytes"));
  EXPECT_TRUE(contains(fault("a,b\n1,x\n1,\"" + std::string(140 << 20, '\n'), options),
                       ":3: a quote begins here and is not closed within 67108864 bytes"));
  std::string samples = "a,b\n";
  for (int k = 0; k < 10'000'000; ++k) samples += "1,x\n";
  EXPECT_TRUE(contains(fault(gzip(samples), options), ": unpacks to more than 100 times its size"));
}

TEST_F(CsvData, AMillionColumnsAreRead) {
  std::string text;
  for (int k = 0; k < 1'000'000; ++k) text += "c" + std::to_string(k) + (k < 999'999 ? "," : "\n");
  for (int k = 0; k < 1'000'000; ++k) text += k < 999'999 ? "7," : "8\n";
  const Dataset data = read(text, {.label = "c999999"});
  EXPECT_EQ(data.features, 999'999);
  EXPECT_EQ(data.class_names, Texts{"8"});
}

}  // namespace
}  // namespace driftless::testing
