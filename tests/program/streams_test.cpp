// Standard streams that are closed, full, or read by nobody.
#include <gtest/gtest.h>

#include <csignal>

#include "tests/program/program.hpp"

namespace driftless::testing {
namespace {

class Streams : public ::testing::Test {
 protected:
  Streams() {
    folder_.write("run.toml",
                  "[problem]\ndim = 5\n[algorithm]\nkind = 'k-gt'\nlocal_rate = 1e-3\n"
                  "[run]\nrounds = 3\n");
  }
  // The program's own words are after `driftless` in the script.
  Finished in_shell(const std::string& script) const {
    const std::string define = "driftless() { '" + program_path() + "' \"$@\"; }; ";
    return Program::command({"/bin/bash", "-c", define + script}, folder_.path()).wait();
  }
  const TemporaryFolder folder_;
};

TEST_F(Streams, ThatAreClosedLeaveTheFilesOfARunAsTheyShouldBe) {
  ASSERT_EQ(in_shell("driftless run run.toml --out open").exit_code, 0);
  for (const char* closed : {"2>&-", "1>&- 2>&-", "0<&- 1>&- 2>&-"}) {
    const std::string run = "driftless run run.toml --force --out out ";
    EXPECT_EQ(in_shell(run + closed).exit_code, 0) << closed;
    expect_same_metrics(folder_ / "out/metrics.csv", folder_ / "open/metrics.csv");
    // The program has words to tell of this one, and they must not land in its files.
    const Finished diverged = in_shell(run +
                                       "--set algorithm.local_rate=50 --set run.rounds=300 "
                                       "--set run.divergence_factor=10 " +
                                       closed);
    EXPECT_EQ(diverged.exit_code, 1) << closed;
    for (const std::string& file : listing(folder_ / "out")) {
      if (file == "summary.json") continue;  // its diagnosis has the words
      EXPECT_EQ(contents_of(folder_ / "out" / file).find("diverged"), std::string::npos) << file;
    }
  }
}

TEST_F(Streams, ThatAreFullAreToldOfAndFailTheCommand) {
  folder_.write("points.svm", "1 1:1 2:3\n-1 1:2\n");
  for (const char* command :
       {"--help", "--version", "run --help", "list", "list --format json",
        "topology ring --nodes 4", "data show points.svm", "run run.toml --out out --force"}) {
    const Finished full = in_shell("driftless " + std::string(command) + " > /dev/full");
    EXPECT_EQ(full.exit_code, 1) << command;
    EXPECT_EQ(full.err, "driftless: standard output: No space left on device\n") << command;
  }
}

TEST_F(Streams, ThatTakeNoWordsOfErrorsDoNotChangeHowACommandEnds) {
  EXPECT_EQ(in_shell("driftless bogus 2> /dev/full").exit_code, 2);
  const Finished run = in_shell("driftless run run.toml --out out --resume 2> /dev/full");
  EXPECT_EQ(run.exit_code, 0) << "it tells there what it resumes";
}

TEST_F(Streams, ThatNobodyReadsEndTheProgramWithoutAWord) {
  const Finished list = in_shell("{ sleep 0.3; driftless list; } | true; exit ${PIPESTATUS[0]}");
  EXPECT_EQ(list.exit_code, 128 + SIGPIPE);
  EXPECT_EQ(list.err, "");
}

}  // namespace
}  // namespace driftless::testing
