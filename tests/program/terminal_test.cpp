// What the program prints fits the terminal that it prints to: `script` makes one of any width.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "driftless/base/layout.hpp"
#include "tests/program/program.hpp"
#include "tests/support/contains.hpp"

namespace driftless::testing {
namespace {

class Terminal : public ::testing::Test {
 protected:
  // The lines of standard output.
  std::vector<std::string> lines(int columns, const std::string& arguments) {
    const std::string command =
        fmt::format("stty cols {}; {} {} 2>/dev/null", columns, program_path(), arguments);
    const Finished run =
        Program::command({"/usr/bin/script", "-qec", command, "/dev/null"}, folder_.path()).wait();
    EXPECT_EQ(run.exit_code, 0) << run.out;
    std::istringstream stream(run.out);
    std::vector<std::string> found;
    for (std::string line; std::getline(stream, line);) {
      if (line.ends_with('\r')) line.pop_back();
      found.push_back(line);
    }
    return found;
  }

  void expect_fits(std::size_t columns, const std::string& arguments) {
    for (const std::string& line : lines(static_cast<int>(columns), arguments)) {
      const bool is_word = line.find(' ', line.find_first_not_of(' ')) == std::string::npos;
      EXPECT_TRUE(width_of(line) <= columns || is_word) << line;
    }
  }

  TemporaryFolder folder_;
};

TEST_F(Terminal, IsNotOverrunByListsAndHelp) {
  for (const std::size_t columns : {100U, 80U, 40U}) {
    for (const char* arguments :
         {"list", "topology ring --nodes 10 --message 175kB", "topology --help", "run --help"}) {
      expect_fits(columns, arguments);
    }
  }
}

TEST_F(Terminal, GetsWideTablesInBlocks) {
  folder_.write("sweep.toml",
                "[problem]\ndim = 2\n[network]\nnodes = 4\n[algorithm]\nlocal_rate = 1e-3\n"
                "[run]\nrounds = 3\ntarget = 1e-9\nrepetitions = 2\n"
                "[sweep]\n'algorithm.kind' = ['k-gt', 'd-sgd']\n");
  const auto wide = lines(200, "run sweep.toml --force");
  EXPECT_TRUE(contains(wide.front(), "method  rounds to 1e-09  bytes"));
  expect_fits(40, "run sweep.toml --force");
  const auto narrow = lines(40, "run sweep.toml --force");
  EXPECT_EQ(
      std::ranges::count_if(narrow, [](const auto& line) { return line.starts_with("method"); }),
      2);
  EXPECT_EQ(
      std::ranges::count_if(narrow, [](const auto& line) { return line.starts_with("k-gt"); }), 2);
}

}  // namespace
}  // namespace driftless::testing
