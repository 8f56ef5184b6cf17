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
    write_checkpoint<double>(checkpoints_.place_for(round), {.config = "config"}, position,
                             {{"x", &x_}}, network_);
    checkpoints_.keep_newest(keep);
  }
  bool is_there(Round round) const { return fs::exists(file(round)); }
  fs::path file(Round round) const {
    return folder_ / ("checkpoints/round-" + std::to_string(round) + ".ckpt");
  }
  Round newest() {
    damaged_.clear();
    const auto found = CheckpointFolder(Folder(folder_.path())).newest_whole(damaged_);
    return found ? found->position.round : -1;
  }

  const TemporaryFolder folder_;
  CheckpointFolder checkpoints_{Folder(folder_.path())};
  LocalNetwork network_{Instance{.nodes = 3}.mixing()};
  Rows<double> x_{{0, 3}, 2};
  std::vector<DamagedFile> damaged_;
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
  ASSERT_EQ(damaged_.size(), 1U);
  EXPECT_EQ(damaged_[0].name, "round-10.ckpt");
  EXPECT_NE(damaged_[0].fault.find("round-10.ckpt"), std::string::npos) << damaged_[0].fault;
}

TEST_F(Checkpoints, AreRefusedWhereAllAreDamaged) {
  save(9);
  save(10);
  fs::rename(file(9), file(12));
  fs::resize_file(file(10), 3);
  try {
    newest();
    FAIL() << "one was used";
  } catch (const DataError& error) {
    const std::string told = error.what();
    EXPECT_NE(told.find("round-12.ckpt: holds round 9"), std::string::npos) << told;
    EXPECT_NE(told.find("round-10.ckpt"), std::string::npos) << told;
  }
}

// What cannot be read may be good: nothing older is taken in its place.
TEST_F(Checkpoints, AreRefusedWhereTheNewestCannotBeRead) {
  save(9);
  fs::create_directory(file(10));
  EXPECT_THROW(newest(), DataError);
}

TEST_F(Checkpoints, ThatAreDamagedAreKeptAside) {
  save(9);
  for (int k = 0; k < 2; ++k) {
    folder_.write("checkpoints/round-10.ckpt", "rotten");
    EXPECT_EQ(newest(), 9);
    checkpoints_.set_aside(damaged_);
    EXPECT_FALSE(is_there(10));
  }
  checkpoints_.remove_all();
  EXPECT_EQ(contents_of(folder_ / "checkpoints/round-10.ckpt.damaged"), "rotten");
  EXPECT_EQ(contents_of(folder_ / "checkpoints/round-10.ckpt.damaged-2"), "rotten");
}

TEST_F(Checkpoints, GoWithWhatIsHalfWrittenAndNothingElse) {
  save(9);
  folder_.write("checkpoints/round-11.ckpt.partial", "half");
  folder_.write("checkpoints/mine.partial", "keep");
  checkpoints_.remove_half_written();
  EXPECT_TRUE(is_there(9));
  EXPECT_FALSE(fs::exists(folder_ / "checkpoints/round-11.ckpt.partial"));
  EXPECT_TRUE(fs::exists(folder_ / "checkpoints/mine.partial"));
  checkpoints_.remove_all();
  EXPECT_FALSE(is_there(9));
  EXPECT_TRUE(fs::exists(folder_ / "checkpoints/mine.partial"));
}

TEST_F(Checkpoints, AreNotWrittenIntoAFolderThatHasVanished) {
  fs::create_directory(folder_ / "gone");
  CheckpointFolder gone{Folder(folder_ / "gone")};
  folder_.remove("gone");
  EXPECT_THROW(gone.place_for(1), std::system_error);
  EXPECT_FALSE(fs::exists(folder_ / "gone"));
}

TEST_F(Checkpoints, AreNotLookedForBehindALink) {
  fs::create_directory(folder_ / "elsewhere");
  folder_.write("elsewhere/round-5.ckpt", "foreign");
  fs::create_directory_symlink("elsewhere", folder_ / "checkpoints");
  EXPECT_THROW(CheckpointFolder{Folder(folder_.path())}, std::system_error);
  EXPECT_EQ(contents_of(folder_ / "elsewhere/round-5.ckpt"), "foreign");
}

}  // namespace
}  // namespace driftless::testing
