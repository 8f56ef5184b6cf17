#include "driftless/base/folder.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <system_error>

#include "driftless/base/file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;
using testing::contents_of;

class Folders : public ::testing::Test {
 protected:
  Folders() { write("mine.txt", "precious"); }
  void write(std::string_view name, std::string_view contents) const {
    temporary_.write(name, contents);
  }
  const testing::TemporaryFolder temporary_;
  const Folder folder_{temporary_.path()};
};

TEST_F(Folders, AreMadeWithWhatIsMissingAbove) {
  const Folder made = Folder::make(temporary_ / "a/b/c/");
  EXPECT_TRUE(fs::is_directory(temporary_ / "a/b/c"));
  EXPECT_EQ(made.where(), fs::canonical(temporary_ / "a/b/c"));
  folder_.make_below("a/b/d/e");
  EXPECT_TRUE(fs::is_directory(temporary_ / "a/b/d/e"));
}

TEST_F(Folders, ThatAreNotThereAreToldFromThoseThatCannotBeOpened) {
  EXPECT_FALSE(folder_.find("none"));
  EXPECT_FALSE(folder_.find("none/deeper"));
  EXPECT_THROW(folder_.find("mine.txt"), std::system_error);
  EXPECT_THROW(folder_.below("none"), std::system_error);
  EXPECT_TRUE(folder_.find(""));
}

TEST_F(Folders, AreFollowedWhereverTheyAreMoved) {
  const Folder run = folder_.make_below("run");
  fs::rename(temporary_ / "run", temporary_ / "moved");
  fs::create_directory(temporary_ / "run");
  write_file_atomically(run, "file", "text");
  EXPECT_EQ(contents_of(temporary_ / "moved/file"), "text");
  EXPECT_TRUE(fs::is_empty(temporary_ / "run"));
  EXPECT_EQ(run.where(), fs::canonical(temporary_ / "moved"));
}

TEST_F(Folders, NeverLeadOutOverALink) {
  fs::create_directory(temporary_ / "inner");
  fs::create_symlink(temporary_.path(), temporary_ / "inner/up");
  fs::create_symlink("../mine.txt", temporary_ / "inner/link.txt");
  const Folder inner = folder_.below("inner");
  EXPECT_THROW(inner.below("up"), std::system_error);
  EXPECT_THROW(inner.find("up"), std::system_error);
  EXPECT_THROW(inner.make_below("up/new"), std::system_error);
  EXPECT_FALSE(fs::exists(temporary_ / "new"));
  EXPECT_THROW(inner.open("link.txt", O_WRONLY | O_TRUNC), std::system_error);
  EXPECT_EQ(contents_of(temporary_ / "mine.txt"), "precious");
  inner.remove("link.txt");
  EXPECT_EQ(contents_of(temporary_ / "mine.txt"), "precious");
}

TEST_F(Folders, GetFilesAtomicallyThatReplaceLinksOfBothNames) {
  fs::create_symlink("mine.txt", temporary_ / "out.txt");
  fs::create_symlink("mine.txt", temporary_ / "out.txt.partial");
  write_file_atomically(temporary_ / "out.txt", "new");
  EXPECT_EQ(contents_of(temporary_ / "out.txt"), "new");
  EXPECT_FALSE(fs::is_symlink(temporary_ / "out.txt"));
  EXPECT_EQ(contents_of(temporary_ / "mine.txt"), "precious");
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"mine.txt", "out.txt"}));
}

TEST_F(Folders, RemoveWhatIsThereAndOnlyEmptyFolders) {
  folder_.make_below("full/inner");
  folder_.remove("none");
  folder_.remove_if_empty("full");
  EXPECT_TRUE(folder_.has("full"));
  folder_.below("full").remove_if_empty("inner");
  folder_.remove_if_empty("full");
  EXPECT_FALSE(folder_.has("full"));
}

TEST_F(Folders, ShareALockBelowOneThatIsExclusive) {
  const Folder same(temporary_.path());
  ASSERT_TRUE(folder_.opened().lock());
  EXPECT_FALSE(same.opened().lock());
  EXPECT_FALSE(same.opened().lock_shared());
  const Folder copy = folder_.below("");
  EXPECT_TRUE(copy.opened().lock()) << "the lock is that of the folder it was copied from";
}

}  // namespace
}  // namespace driftless
