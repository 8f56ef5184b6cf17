#include "driftless/base/text.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

using Names = std::vector<std::string_view>;

TEST(EditDistance, CountsInsertionsDeletionsSubstitutionsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("nodse", "nodes"), 1U);
  EXPECT_EQ(edit_distance("dims", "dim"), 1U);
  EXPECT_EQ(edit_distance("flaw", "lawn"), 2U);
}

TEST(NearestNames, FindsTheWordThatWasMeant) {
  const Names words = {"ring", "path", "star", "torus"};
  EXPECT_EQ(nearest_names("rnig", words), Names{"ring"});
  EXPECT_EQ(nearest_names("trous", words), Names{"torus"});
}

TEST(NearestNames, TellsAllThatTie) {
  EXPECT_EQ(nearest_names("bat", Names{"cat", "hat", "dog"}), (Names{"cat", "hat"}));
}

TEST(NearestNames, IsSilentWhenNothingIsNear) {
  EXPECT_TRUE(nearest_names("hypercube", Names{"ring", "path"}).empty());
}

TEST(EitherOf, ReadsLikeASentence) {
  EXPECT_EQ(either_of(Names{}), "");
  EXPECT_EQ(either_of(Names{"a"}), "a");
  EXPECT_EQ(either_of(Names{"a", "b"}), "a or b");
  EXPECT_EQ(either_of(Names{"a", "b", "c"}), "a, b or c");
}

}  // namespace
}  // namespace driftless
