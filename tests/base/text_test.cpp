#include "driftless/base/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <iterator>

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

RC_GTEST_PROP(NearestNames, AreThoseThatComparingWithAllFinds, ()) {
  const auto word = rc::gen::resize(8, rc::gen::container<std::string>(rc::gen::inRange('a', 'f')));
  const std::string name = *word;
  const auto words = *rc::gen::container<std::vector<std::string>>(20, word);
  const Names candidates(words.begin(), words.end());
  std::size_t best = std::max<std::size_t>(1, name.size() / 3);
  for (const std::string_view candidate : candidates)
    best = std::min(best, edit_distance(name, candidate));
  Names nearest;
  std::ranges::copy_if(candidates, std::back_inserter(nearest), [&](std::string_view candidate) {
    return edit_distance(name, candidate) == best;
  });
  if (nearest.empty() && name.size() > 1) {
    std::ranges::copy_if(candidates, std::back_inserter(nearest),
                         [&](std::string_view candidate) { return candidate.starts_with(name); });
  }
  RC_ASSERT(nearest_names(name, candidates) == nearest);
}

TEST(NearestNames, TellsAllThatTie) {
  EXPECT_EQ(nearest_names("bat", Names{"cat", "hat", "dog"}), (Names{"cat", "hat"}));
}

TEST(NearestNames, IsSilentWhenNothingIsNear) {
  EXPECT_TRUE(nearest_names("hypercube", Names{"ring", "path"}).empty());
}

TEST(NearestNames, SeeThroughDashesAndCapitals) {
  const Names methods = {"gt", "k-gt", "d-sgd", "large-batch-d-sgd"};
  for (const char* name : {"kgt", "k_gt", "K-GT"}) {
    EXPECT_EQ(nearest_names(name, methods), Names{"k-gt"}) << name;
  }
  EXPECT_EQ(nearest_names("DSGD", methods), Names{"d-sgd"});
}

TEST(NearestNames, AreThoseThatANameBegins) {
  EXPECT_EQ(nearest_names("lin", Names{"log", "linear"}), Names{"linear"});
  EXPECT_EQ(nearest_names("metro", Names{"metropolis", "max_degree"}), Names{"metropolis"});
  EXPECT_TRUE(nearest_names("m", Names{"metropolis", "max_degree"}).empty());
}

TEST(NearestNames, KnowWhatOthersCallThings) {
  const Names topologies = {"ring", "path", "complete", "torus"};
  EXPECT_EQ(nearest_names("fully-connected", topologies), Names{"complete"});
  EXPECT_EQ(nearest_names("line", topologies), Names{"path"});
  EXPECT_EQ(nearest_names("cycle", topologies), Names{"ring"});
  EXPECT_EQ(nearest_names("fully-connected", Names{"mlp", "cnn"}), Names{"mlp"});
}

TEST(Suggestion, SaysWhatThereIsNot) {
  EXPECT_EQ(
      suggestion("adam", Names{"k-gt"}),
      "; there is no adaptive method yet; the methods take plain SGD steps, with corrections");
  EXPECT_EQ(suggestion("kgt", Names{"k-gt"}), "; did you mean k-gt?");
  EXPECT_EQ(suggestion("bicycle", Names{"k-gt"}), "");
}

TEST(EitherOf, ReadsLikeASentence) {
  EXPECT_EQ(either_of(Names{}), "");
  EXPECT_EQ(either_of(Names{"a"}), "a");
  EXPECT_EQ(either_of(Names{"a", "b"}), "a or b");
  EXPECT_EQ(either_of(Names{"a", "b", "c"}), "a, b or c");
}

}  // namespace
}  // namespace driftless
