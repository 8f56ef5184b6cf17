#include "driftless/data/sites.hpp"

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/data_files.hpp"
#include "tests/support/learning_data.hpp"

namespace driftless::testing {
namespace {

class SitesOfFiles : public ::testing::Test {
 protected:
  NamedFiles named(const std::string& pattern) const { return {folder_ / pattern}; }

  // What is wrong with the two sites a-0.csv and a-1.csv; empty: nothing.
  std::string fault(const ReadOptions& options = {.label = "y"}) const {
    return message_of<InputError>([&] {
      Sites sites(named("a-{node}.csv"), {}, {0, 2}, options);
      sites.agree(Processes());
    });
  }

  const TemporaryFolder folder_;
};

TEST(SiteFile, HasTheNumberOfItsNode) {
  EXPECT_EQ(site_file({"{node}/of-{node}.csv"}, 12), "12/of-12.csv");
  EXPECT_EQ(site_file({"a.csv", "b.csv"}, 1), "b.csv");
  EXPECT_TRUE(names_sites({"x-{node}.csv"}));
  EXPECT_TRUE(names_sites({"a.csv", "b.csv"}));
  EXPECT_FALSE(names_sites({"a.csv"}));
}

TEST_F(SitesOfFiles, AreMergedOneAfterTheOther) {
  folder_.write("a-0.csv", "u,v,y\n1,2,no\n3,4,yes\n");
  folder_.write("a-1.csv", "u,v,y\n5,6,yes\n7,8,no\n9,10,no\n");
  Sites sites(named("a-{node}.csv"), {}, {0, 2}, {.label = "y"});
  sites.agree(Processes());
  const LabelledData data = sites.merge();
  EXPECT_EQ(std::get<DenseRows>(data.train.inputs).values,
            (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(data.train.labels, (std::vector<std::int32_t>{0, 1, 1, 0, 0}));
  EXPECT_EQ(sites.train(), (Partition{{0, 1}, {2, 3, 4}}));
  EXPECT_TRUE(sites.test().empty());
}

TEST_F(SitesOfFiles, AreTestedEachOnItsOwnOrAllOnOneFile) {
  for (const char* name : {"a-0.csv", "a-1.csv", "t-0.csv", "t-1.csv"}) {
    folder_.write(name, "u,y\n1,no\n3,yes\n");
  }
  Sites own(named("a-{node}.csv"), named("t-{node}.csv"), {0, 2}, {.label = "y"});
  own.agree(Processes());
  EXPECT_EQ(own.merge().test->samples(), 4);
  EXPECT_EQ(own.test(), (Partition{{0, 1}, {2, 3}}));
  Sites common(named("a-{node}.csv"), named("t-0.csv"), {0, 2}, {.label = "y"});
  common.agree(Processes());
  EXPECT_EQ(common.merge().test->samples(), 2);
  EXPECT_TRUE(common.test().empty());
}

TEST_F(SitesOfFiles, MustHaveTheSameColumnsInTheSameOrder) {
  folder_.write("a-0.csv", "u,v,w,y\n1,2,3,no\n3,4,5,yes\n");
  folder_.write("a-1.csv", "u,w,v,y\n1,2,3,no\n3,4,5,yes\n");
  EXPECT_TRUE(contains(fault(), "a-1.csv:1: feature 2 is \"w\", which is feature 3 in "))
      << fault();
  folder_.write("a-1.csv", "u,w,y\n1,2,no\n3,4,yes\n");
  EXPECT_TRUE(contains(fault(), "a-1.csv:1: lacks the column that ")) << fault();
  EXPECT_TRUE(contains(fault(), "has after \"u\"")) << fault();
  folder_.write("a-1.csv", "u,v,w,z,y\n1,2,3,4,no\n3,4,5,6,yes\n");
  EXPECT_TRUE(contains(fault(), "a-1.csv:1: has a column \"z\" that ")) << fault();
  EXPECT_EQ(fault({.label = "y", .ignore = {}}), fault());
}

TEST_F(SitesOfFiles, MustHaveTheSameClassesUnlessAllAreNamed) {
  folder_.write("a-0.csv", "u,y\n1,no\n3,yes\n");
  folder_.write("a-1.csv", "u,y\n1,no\n3,yes\n4,perhaps\n");
  EXPECT_TRUE(contains(fault(), "a-1.csv:4: the class \"perhaps\" is new: ")) << fault();
  EXPECT_TRUE(contains(fault(), "problem.classes = [\"no\", \"perhaps\", \"yes\"]")) << fault();
  folder_.write("a-1.csv", "u,y\n1,no\n");
  EXPECT_TRUE(contains(fault(), "a-1.csv: has no sample of the class \"yes\"")) << fault();
  EXPECT_EQ(fault({.label = "y", .classes = {"no", "yes"}}), "");
  folder_.write("a-1.csv", "u,y\n1,no\n2,on\n");
  EXPECT_TRUE(contains(fault({.label = "y", .classes = {"no", "yes"}}), "a-1.csv:3"));
}

TEST_F(SitesOfFiles, AreRefusedWhereNumbersToLearnAreClasses) {
  const ReadOptions numbers{.label_type = LabelType::numbers, .label = "y"};
  folder_.write("a-0.csv", "u,y\n1,0\n3,1\n");
  folder_.write("a-1.csv", "u,y\n1,1\n3,0\n");
  EXPECT_TRUE(contains(fault(numbers), "is always 0 or 1: these are classes")) << fault(numbers);
  folder_.write("a-1.csv", "u,y\n1,1\n3,2\n");
  EXPECT_EQ(fault(numbers), "") << "three values of two sites";
  folder_.write("a-1.csv", "u,y\n1,1\n3,0.5\n");
  EXPECT_EQ(fault(numbers), "");
}

TEST_F(SitesOfFiles, OfSparseRowsHaveTheFeaturesOfAll) {
  folder_.write("b-0.svm", "1 1:1\n-1 2:1\n");
  folder_.write("b-1.svm", "1 5:1\n-1 1:2\n");
  folder_.write("u-0.svm", "1 5:1\n");
  folder_.write("u-1.svm", "1 1:1\n");
  Sites sites(named("b-{node}.svm"), named("u-{node}.svm"), {0, 2}, {});
  sites.agree(Processes());
  const LabelledData data = sites.merge();
  EXPECT_EQ(data.train.features, 5);
  std::vector<double> row(5);
  read_sample(data.train, 2, row.data());
  EXPECT_EQ(row, (std::vector<double>{0, 0, 0, 0, 1}));
}

TEST_F(SitesOfFiles, OfImagesAreNormalisedByTheGreysOfAll) {
  write_bars(folder_, 6, 3, 4, "c-0");
  write_bars(folder_, 12, 3, 4, "c-1");
  Sites sites(named("c-{node}"), {}, {0, 2}, {});
  sites.agree(Processes());
  const LabelledData data = sites.merge();
  double sum = 0;
  for (const std::uint8_t pixel : data.train.images()->pixels) sum += pixel;
  const double mean = sum / 255 / static_cast<double>(data.train.images()->pixels.size());
  EXPECT_NEAR(data.train.images()->mean, mean, 5e-5);
  EXPECT_EQ(data.test->images()->mean, data.train.images()->mean);
  EXPECT_EQ(sites.test().size(), 2) << "a folder holds its own test samples";
}

}  // namespace
}  // namespace driftless::testing
