#include "driftless/record/checkpoint_folder.hpp"

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.hpp"
#include "tests/support/trial.hpp"

namespace driftless::testing {
namespace {

namespace fs = std::filesystem;

class Checkpoints : public ::testing::Test {
 protected:
  void save(Round round, int keep = 2) {
    RunPosition position;
    position.round = round;
    write_checkpoint<double>(checkpoints_.file_for(round), "config", position, {{"x", &x_}},
                             network_);
    checkpoints_.keep_newest(keep);
  }
  bool is_there(Round round) const { return fs::exists(file(round)); }
  fs::path file(Round round) const {
    return folder_ / ("checkpoints/round-" + std::to_string(round) + ".ckpt");
  }
  Round newest() {
    faults_.clear();
    const auto found = checkpoints_.newest_whole(faults_);
    return found ? found->position.round : -1;
  }

  const TemporaryFolder folder_;
  const CheckpointFolder checkpoints_{folder_.path()};
  LocalNetwork network_{Instance{.nodes = 3}.mixing()};
  Rows<double> x_{{0, 3}, 2};
  std::vector<std::string> faults_;
};

TEST_F(Checkpoints, KeepTheNewestOnes) {
  for (const Round round : {8, 9, 10, 100}) save(round);
  EXPECT_FALSE(is_there(8));
  EXPECT_FALSE(is_there(9));
  EXPECT_TRUE(is_there(10));
  EXPECT_EQ(newest(), 100);
}

TEST_F(Checkpoints, AreNoneBeforeTheFirst) { EXPECT_EQ(newest(), -1); }

TEST_F(Checkpoints, FallBackToTheOneBeforeADamagedOne) {
  save(9);
  save(10);
  fs::resize_file(file(10), fs::file_size(file(10)) - 1);
  EXPECT_EQ(newest(), 9);
  ASSERT_EQ(faults_.size(), 1U);
  EXPECT_NE(faults_[0].find("round-10.ckpt"), std::string::npos) << faults_[0];
}

TEST_F(Checkpoints, AreNotTakenForAnotherRound) {
  save(9);
  fs::rename(file(9), file(12));
  EXPECT_EQ(newest(), -1);
  EXPECT_EQ(faults_.size(), 1U);
}

TEST_F(Checkpoints, GoWhereTheyAreAheadOrHalfWritten) {
  save(9);
  save(10);
  folder_.write("checkpoints/round-11.ckpt.partial", "half");
  folder_.write("checkpoints/mine.partial", "keep");
  checkpoints_.remove_after(9);
  EXPECT_TRUE(is_there(9));
  EXPECT_FALSE(is_there(10));
  EXPECT_FALSE(fs::exists(folder_ / "checkpoints/round-11.ckpt.partial"));
  EXPECT_TRUE(fs::exists(folder_ / "checkpoints/mine.partial"));
  checkpoints_.remove_all();
  EXPECT_FALSE(is_there(9));
  EXPECT_TRUE(fs::exists(folder_ / "checkpoints/mine.partial"));
}

TEST_F(Checkpoints, AreNotWrittenIntoAFolderThatHasVanished) {
  const CheckpointFolder gone(folder_ / "gone");
  EXPECT_ANY_THROW(gone.file_for(1));
  EXPECT_FALSE(fs::exists(folder_ / "gone"));
}

}  // namespace
}  // namespace driftless::testing
