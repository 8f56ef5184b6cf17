#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "driftless/base/error.hpp"
#include "driftless/base/file.hpp"
#include "driftless/graph/edge_list.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/matrix_market.hpp"
#include "driftless/graph/weights.hpp"
#include "tests/support/contains.hpp"

namespace driftless {
namespace {

using testing::contains;

class GraphFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "driftless-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }

  std::filesystem::path file(const std::string& text) const {
    std::ofstream(path("input")) << text;
    return path("input");
  }

  template <class Read>
  std::string fault_of(Read read, const std::string& text) const {
    try {
      read(file(text));
    } catch (const DataError& error) {
      return error.what();
    }
    return "";
  }

 private:
  std::filesystem::path folder_;
};

std::string read_text(const std::filesystem::path& path) {
  std::ifstream input(path);
  return {std::istreambuf_iterator<char>(input), {}};
}

TEST_F(GraphFiles, AnEdgeListIsReadWithCommentsBlanksAndRepeats) {
  const Graph graph = read_edge_list(file("# a path\n% of three\n\n0 1\r\n\t2   1 # back\n1 0\n"));
  EXPECT_EQ(graph.nodes(), 3);
  EXPECT_EQ(graph.edges(), 2);
  EXPECT_EQ(graph.degree(1), 2);
  EXPECT_EQ(read_edge_list(file("# nothing\n"), 1).nodes(), 1);
}

TEST_F(GraphFiles, ABadEdgeListIsRefusedWithItsLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "holds no edge"},
      {"# only a comment\n", "holds no edge"},
      {"0 1\n1\n", "input:2: found 1 fields, expected two node ids"},
      {"0 1 0.5\n", "input:1: found 3 fields"},
      {"0 x\n", "input:1: found \"x\""},
      {"0 1.5\n", "input:1: found \"1.5\""},
      {"0 -1\n", "input:1: found \"-1\", expected an integer from 0 to"},
      {"0 4000000000\n", "input:1: found \"4000000000\""},
      {"0 99999999999999999999\n", "input:1: found \"99999999999999999999\""},
      {"0 1\n\n1 1\n", "input:3: node 1 is not its own neighbour"},
      {"0 9999999\n", "1 edges cannot connect 10000000 nodes"},
      {"0 1\n2 3\n0 1\n", "no path leads from node 0 to node 2"},
      {std::string("0 1\0 2\n", 7), "input:1: found"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_TRUE(
        contains(fault_of([](const auto& input) { read_edge_list(input); }, text), message));
  }
  const auto read_two = [](const auto& input) { read_edge_list(input, 2); };
  EXPECT_TRUE(contains(fault_of(read_two, "0 1\n1 2\n"), "input:2: found \"2\""));
  const auto read_three = [](const auto& input) { read_edge_list(input, 3); };
  EXPECT_TRUE(contains(fault_of(read_three, "0 1\n"), "1 edges cannot connect 3 nodes"));
}

TEST_F(GraphFiles, AMissingFileOrAFolderIsRefused) {
  EXPECT_THROW(read_edge_list(path("none")), DataError);
  EXPECT_THROW(read_mixing_matrix(path("none")), DataError);
  EXPECT_THROW(read_mixing_matrix(path("")), DataError);
}

TEST_F(GraphFiles, EveryMatrixMarketFormatIsRead) {
  Eigen::MatrixXd expected(3, 3);
  expected << 0.75, 0.25, 0, 0.25, 0.5, 0.25, 0, 0.25, 0.75;
  const std::string banner = "%%MatrixMarket matrix ";
  for (const std::string& text : {
           banner + "coordinate real symmetric\n% W\n\n3 3 5\n"
                    "1 1 0.75\n2 2 .5\n3 3 7.5e-1\n2 1 0.25\n3 2 +0.25\n",
           banner + "coordinate real general\n3 3 7\n"
                    "1 1 0.75\n1 2 0.25\n2 1 0.25\n2 2 0.5\n2 3 0.25\n3 2 0.25\n3 3 0.75\n",
           banner + "array real general\n3 3\n0.75\n0.25\n0\n0.25\n0.5\n0.25\n0\n0.25\n0.75\n",
           banner + "ARRAY Real Symmetric\n3 3\n0.75\n0.25\n0\n0.5\n0.25\n0.75\n",
       }) {
    EXPECT_EQ(read_mixing_matrix(file(text)).to_dense(), expected) << text;
  }
  const MixingMatrix swap =
      read_mixing_matrix(file(banner + "coordinate integer symmetric\n2 2 1\n2 1 1\n"));
  EXPECT_EQ(swap.self_weight(0), 0);
  EXPECT_EQ(swap.degree(1), 1);
}

TEST_F(GraphFiles, ABadMatrixIsRefusedWithItsLineOrRow) {
  const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
  const std::string general = "%%MatrixMarket matrix coordinate real general\n";
  const std::string array = "%%MatrixMarket matrix array real general\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "is empty"},
      {"1 2 3\n", "input:1: expected a Matrix Market file"},
      {"%%MatrixMarket matrix coordinate real\n", "input:1: expected a Matrix Market file"},
      {"%%MatrixMarket vector coordinate real general\n", "input:1: expected"},
      {"%%MatrixMarket matrix sparse real general\n", "found format \"sparse\""},
      {"%%MatrixMarket matrix coordinate pattern symmetric\n", "a pattern has no weights"},
      {"%%MatrixMarket matrix coordinate complex general\n", "found field \"complex\""},
      {"%%MatrixMarket matrix coordinate real hermitian\n", "found symmetry \"hermitian\""},
      {general, "ends before its size line"},
      {general + "2 2\n", "input:2: found 2 fields, expected rows, columns and entries"},
      {array + "2 2 4\n", "input:2: found 3 fields"},
      {general + "2 3 1\n", "input:2: found 2 rows and 3 columns"},
      {general + "0 0 0\n", "input:2: found \"0\""},
      {general + "-1 -1 1\n", "input:2: found \"-1\""},
      {general + "4000000000 4000000000 1\n1 1 1\n", "input:2: found \"4000000000\""},
      {general + "9999999 9999999 1\n1 1 1\n", "1 entries cannot fill 9999999 rows"},
      {array + "9999999 9999999\n1\n", "ends after 1 of 99999980000001 entries claimed"},
      {general + "2 2 5\n", "input:2: found \"5\", expected an integer from 0 to 4"},
      {general + "2 2 4\n1 1 0.5\n", "ends after 1 of 4 entries claimed"},
      {general + "1 1 1\n1 1 1\n1 1 1\n", "input:4: more than the 1 entries claimed"},
      {general + "2 2 1\n0 1 1\n", "input:3: found \"0\", expected an integer from 1 to 2"},
      {general + "2 2 1\n1 3 1\n", "input:3: found \"3\""},
      {general + "2 2 1\n1 1\n", "input:3: found 2 fields"},
      {general + "2 2 1\n1 1 one\n", "input:3: found \"one\", expected a number"},
      {array + "1 1\n1 1\n", "input:3: found 2 fields, expected one weight"},
      {symmetric + "2 2 1\n1 2 1\n", "input:3: above the diagonal"},
      {general + "2 2 3\n1 2 1\n2 1 1\n1 2 1\n", "entry 1 2 is given twice"},
      {general + "2 2 2\n1 2 nan\n2 1 1\n", "row 0: the weight of column 1 is nan"},
      {general + "2 2 2\n1 2 inf\n2 1 1\n", "row 0: the weight of column 1 is inf"},
      {general + "2 2 2\n1 2 1\n2 1 1.001\n", "row 1 sums to 1.001"},
      {symmetric + "2 2 2\n1 1 1\n2 2 1\n", "no path of positive weights leads from node 0"},
      {symmetric + "2 2 3\n1 1 2\n2 2 2\n2 1 -1\n", "is -1, negative"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_TRUE(
        contains(fault_of([](const auto& input) { read_mixing_matrix(input); }, text), message))
        << text;
  }
}

TEST_F(GraphFiles, AWrittenMatrixReadsBackToTheSameBits) {
  for (const GraphFamily& family : graph_families()) {
    const MixingMatrix written = make_mixing(
        make_graph({.family = std::string(family.name), .nodes = 32}), Weights::metropolis);
    write_matrix_market(path("w.mtx"), written);
    EXPECT_EQ(read_mixing_matrix(path("w.mtx")).to_dense(), written.to_dense()) << family.name;
  }
}

TEST_F(GraphFiles, AWrittenMatrixIsSymmetricCoordinateText) {
  const MixingMatrix ring = make_mixing(make_graph({.nodes = 2}), Weights::metropolis);
  write_matrix_market(path("w.mtx"), ring);
  EXPECT_EQ(read_text(path("w.mtx")),
            "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 0.5\n2 1 0.5\n2 2 0.5\n");
}

TEST_F(GraphFiles, AFileIsReplacedWholeAndLeavesNoPartialBehind) {
  write_file_atomically(path("out"), "old and long");
  write_file_atomically(path("out"), "new");
  EXPECT_EQ(read_text(path("out")), "new");
  EXPECT_FALSE(std::filesystem::exists(path("out.partial")));
}

TEST_F(GraphFiles, AFailedWriteNamesThePathAndLeavesNothingBehind) {
  std::filesystem::create_directory(path("taken"));
  try {
    write_file_atomically(path("taken"), "text");
    FAIL() << "a folder was replaced by a file";
  } catch (const std::system_error& error) {
    EXPECT_TRUE(contains(error.what(), path("taken").string()));
  }
  EXPECT_FALSE(std::filesystem::exists(path("taken.partial")));
  EXPECT_THROW(write_file_atomically(path("none/out"), "text"), std::system_error);
}

}  // namespace
}  // namespace driftless
