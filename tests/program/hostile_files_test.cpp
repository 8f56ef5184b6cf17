// Files that are made to hang, crash or fill the program: it refuses each in a sentence.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/program/program.hpp"
#include "tests/support/contains.hpp"

namespace driftless::testing {
namespace {

using Texts = std::vector<std::string>;

const std::string small_run = R"([problem]
dim = 3
[network]
nodes = 5
[algorithm]
kind = "k-gt"
local_rate = 0.01
[run]
rounds = 4
[checkpoint]
every_rounds = 2
)";

class HostileFiles : public ::testing::Test {
 protected:
  void refuses(const Texts& arguments, const std::string& told) const {
    const Finished program = run_program(arguments, folder_.path());
    EXPECT_EQ(program.exit_code, 2) << program.err;
    EXPECT_TRUE(contains(program.err, told));
    for (const char* inner : {"exception", "memory", "std::"}) {
      EXPECT_EQ(program.err.find(inner), std::string::npos) << program.err;
    }
  }

  void make_fifo(const std::string& name) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::filesystem::remove(folder_ / name);
    ASSERT_EQ(mkfifo((folder_ / name).c_str(), 0600), 0);
  }

  void run_once() const {
    folder_.write("small.toml", small_run);
    const Finished program =
        run_program({"run", "small.toml", "--out", "out", "--quiet"}, folder_.path());
    ASSERT_EQ(program.exit_code, 0) << program.err;
  }

  const TemporaryFolder folder_;
};

TEST_F(HostileFiles, FifosAndDevicesAreNotWaitedFor) {
  const std::string told = ": is a fifo, expected a regular file";
  make_fifo("fifo");
  folder_.write("images/train-labels-idx1-ubyte", "");
  make_fifo("images/train-images-idx3-ubyte");
  refuses({"run", "fifo"}, "fifo" + told);
  refuses({"run", "/dev/zero"}, "/dev/zero: is a device, expected a regular file");
  refuses({"run", "images"}, "images: is a folder, expected a regular file");
  refuses({"topology", "--edges", "fifo"}, "fifo" + told);
  refuses({"topology", "--matrix", "fifo"}, "fifo" + told);
  refuses({"data", "show", "fifo"}, "fifo" + told);
  refuses({"data", "show", "images"}, "images/train-images-idx3-ubyte" + told);
  folder_.write("needed.toml", "[algorithm]\nkind = 'gt'\nlocal_rate = 0.1\n[run]\nrounds = 1\n");
  refuses({"run", "needed.toml", "--set", "network.file=fifo"}, "fifo" + told);
  refuses({"run", "needed.toml", "--set", "problem.file=fifo"}, "fifo" + told);
}

TEST_F(HostileFiles, FifosInTheFolderOfARunAreNotWaitedFor) {
  const std::string told = ": is a fifo, expected a regular file";
  run_once();
  const std::string summary = contents_of(folder_ / "out/summary.json");
  make_fifo("out/summary.json");
  refuses({"report", "out"}, "out/summary.json" + told);
  refuses({"run", "small.toml", "--out", "out", "--resume"}, "out/summary.json" + told);
  folder_.remove("out/summary.json");
  folder_.write("out/summary.json", summary);
  make_fifo("out/metrics.csv");
  refuses({"report", "out"}, "out/metrics.csv" + told);
  folder_.remove("out/summary.json");
  refuses({"report", "out"}, "out/metrics.csv" + told);
  make_fifo("out/config.toml");
  refuses({"report", "out"}, "out/config.toml" + told);
}

TEST_F(HostileFiles, AFifoForACheckpointIsNotWaitedFor) {
  run_once();
  make_fifo("out/checkpoints/round-4.ckpt");
  refuses({"run", "small.toml", "--out", "out", "--resume", "--set", "run.rounds=6"},
          "round-4.ckpt: is a fifo, expected a regular file");
}

TEST_F(HostileFiles, DeepNestingDoesNotEndTheStack) {
  std::string key = "a";
  for (int k = 0; k < 40'000; ++k) key += ".a";
  folder_.write("dots.toml", key + " = 1\n");
  refuses({"run", "dots.toml"}, "dots.toml:1: more than 32 dots in a key");
  run_once();
  folder_.write("out/summary.json", R"({"outcome": "finished", "network": {"x": )" +
                                        std::string(300'000, '[') + std::string(300'000, ']') +
                                        "}}");
  refuses({"report", "out"}, "out/summary.json: not valid JSON: nests deeper than 64 levels");
  folder_.remove("out/summary.json");
  folder_.write("out/config.toml", key + " = 1\n");
  refuses({"report", "out"}, "out/config.toml:1: more than 32 dots in a key");
}

TEST_F(HostileFiles, RoundsThatGoBackAreRefusedWithTheirLine) {
  run_once();
  folder_.remove("out/summary.json");  // whose sum of the file would be told first
  folder_.write("out/metrics.csv", "round,loss\n0,1\n3,1\n3,1\n");
  refuses({"report", "out"}, "out/metrics.csv:4: found round 3, expected one from 4 to 4294967294");
  folder_.write("out/metrics.csv", "round,loss\n0,1\nnan,1\n");
  refuses({"report", "out"}, "out/metrics.csv:3: found \"nan\", expected a round, a whole number");
}

}  // namespace
}  // namespace driftless::testing
