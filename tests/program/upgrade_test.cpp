// Folders that version 0.1.0 wrote (tests/golden/upgrade), and folders of versions to come.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>

#include "tests/program/program.hpp"

namespace driftless::testing {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

class Upgrade : public ::testing::Test {
 protected:
  Upgrade() {
    fs::copy(DRIFTLESS_TEST_DATA "/upgrade", folder_.path(), fs::copy_options::recursive);
  }

  Finished run(const std::string& config, const std::string& out, const Texts& more) const {
    Texts arguments = {"run", config, "--out", out, "--threads", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, folder_.path());
  }

  std::vector<std::string> files(const std::string& out) const {
    std::vector<std::string> found = listing(folder_ / out);
    std::erase_if(found,
                  [&](const std::string& name) { return fs::is_directory(folder_ / out / name); });
    return found;
  }

  // The results in `out` are those of the config when it is run anew by the program under test.
  void expect_as_if_run_anew(const std::string& config, const std::string& out) const {
    const Finished anew = run(config, "anew", {"--quiet"});
    ASSERT_EQ(anew.exit_code, 0) << anew.err;
    for (const std::string& name : files("anew")) {
      const fs::path found = folder_ / out / name;
      const fs::path expected = folder_ / "anew" / name;
      if (found.filename() == "metrics.csv") {
        expect_same_in_old_columns(found, expected);
      } else if (found.extension() == ".npy" || found.filename() == "tune.csv") {
        EXPECT_TRUE(contents_of(found) == contents_of(expected)) << name;
      }
    }
  }

  const TemporaryFolder folder_;
};

struct Experiment {
  const char* config;
  const char* finished;
  const char* interrupted;
};

class UpgradeOf : public Upgrade, public ::testing::WithParamInterface<Experiment> {};

TEST_P(UpgradeOf, AnInterruptedExperimentGoesOnBitForBit) {
  const Finished resumed = run(GetParam().config, GetParam().interrupted, {"--resume", "--quiet"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  expect_as_if_run_anew(GetParam().config, GetParam().interrupted);
}

TEST_P(UpgradeOf, AFinishedExperimentHasTheBitsOfToday) {
  expect_as_if_run_anew(GetParam().config, GetParam().finished);
}

// What a sweep has of its own is put together again, from the same runs; a later version may add to
// that.
TEST_P(UpgradeOf, NothingOfAFinishedExperimentIsDoneAgain) {
  const std::string out = GetParam().finished;
  const bool sweep = fs::exists(folder_ / out / "experiment.toml");
  const Snapshot before = snapshot(folder_ / out);
  fs::copy(folder_ / out / "metrics.csv", folder_ / "metrics_before.csv");
  const Finished resumed = run(GetParam().config, out, {"--resume"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_NE(resumed.err.find(sweep ? " are done, 0 continue, 0 begin" : "is done already"),
            std::string::npos)
      << resumed.err;
  const Snapshot after = snapshot(folder_ / out);
  expect_same_in_old_columns(folder_ / "metrics_before.csv", folder_ / out / "metrics.csv");
  for (const char* name : {"tune.csv", "experiment.toml"}) {
    if (!before.contains(name)) continue;
    EXPECT_TRUE(after.at(name).first == before.at(name).first) << name;
  }
  const auto of_runs = [&](Snapshot all) {
    std::erase_if(all, [&](const auto& entry) {
      return sweep && entry.first.find('/') == std::string::npos;
    });
    return all;
  };
  EXPECT_TRUE(of_runs(after) == of_runs(before)) << "the folder of a run was changed";
}

TEST_P(UpgradeOf, AReportTakesWhatIsThere) {
  for (const std::string out : {GetParam().finished, GetParam().interrupted}) {
    for (const std::string format : {"html", "csv"}) {
      const Finished report =
          run_program({"report", out, "--format", format, "-o", "report"}, folder_.path());
      EXPECT_EQ(report.exit_code, 0) << out << ": " << report.err;
      EXPECT_NE(contents_of(folder_ / "report").find("k-gt"), std::string::npos) << out;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Version010, UpgradeOf,
    ::testing::Values(Experiment{"run.toml", "finished", "interrupted"},
                      Experiment{"sweep.toml", "finished_sweep", "interrupted_sweep"},
                      Experiment{"tune.toml", "finished_tune", "interrupted_tune"}),
    [](const auto& tested) { return fs::path(tested.param.config).stem().string(); });

// Makes a checkpoint one of a format to come, whole by its sum.
void make_later(const fs::path& file) {
  constexpr std::size_t at = std::string_view("driftless checkpoint\n").size();
  std::string bytes = contents_of(file);
  const auto put = [&](std::uint32_t number, std::size_t place) {
    std::memcpy(bytes.data() + place, &number, sizeof number);
  };
  put(1000, at);
  const std::size_t summed = bytes.size() - sizeof(std::uint32_t);
  put(static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), summed)),
      summed);
  std::ofstream(file, std::ios::binary) << bytes;
}

class LaterVersion : public Upgrade {
 protected:
  void expect_refused(const std::string& config, const std::string& out) const {
    const Snapshot before = snapshot(folder_ / out);
    const Finished resumed = run(config, out, {"--resume"});
    EXPECT_EQ(resumed.exit_code, 2) << resumed.err;
    EXPECT_NE(resumed.err.find(".ckpt"), std::string::npos) << resumed.err;
    EXPECT_NE(resumed.err.find("format 1000"), std::string::npos) << resumed.err;
    EXPECT_TRUE(snapshot(folder_ / out) == before) << "the folder was changed";
  }
};

TEST_F(LaterVersion, WhoseCheckpointsAreAllThatThereIsIsRefused) {
  for (const char* name : {"round-4.ckpt", "round-8.ckpt"})
    make_later(folder_ / "interrupted/checkpoints" / name);
  expect_refused("run.toml", "interrupted");
}

// To go on from an older one would throw away what the later version did.
TEST_F(LaterVersion, WhoseCheckpointIsTheNewestIsRefused) {
  make_later(folder_ / "interrupted/checkpoints/round-8.ckpt");
  expect_refused("run.toml", "interrupted");
}

TEST_F(LaterVersion, WhoseCheckpointIsInOneRunOfASweepIsRefusedForAll) {
  make_later(folder_ / "interrupted_sweep/kind=d-sgd/checkpoints/round-12.ckpt");
  expect_refused("sweep.toml", "interrupted_sweep");
}

}  // namespace
}  // namespace driftless::testing
