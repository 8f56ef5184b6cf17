// What is wrong with a problem that learns from samples: told in a paragraph that names the key,
// with exit code 2, and nothing is left behind.
#include <gtest/gtest.h>

#include "tests/program/program.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/learning_data.hpp"

namespace driftless::testing {
namespace {

using Texts = std::vector<std::string>;

struct BadLearning {
  std::string name;
  std::string problem;
  Texts words;  // what the message must hold
  std::string network = "nodes = 5\n";
};

std::ostream& operator<<(std::ostream& out, const BadLearning& bad) { return out << bad.name; }

class BadLearnings : public ::testing::TestWithParam<BadLearning> {};

TEST_P(BadLearnings, AreRefusedAndLeaveNothing) {
  const BadLearning& bad = GetParam();
  const TemporaryFolder folder;
  const EnvironmentVariable cache("DRIFTLESS_DATA", (folder / "cache").string());
  write_bars(folder, 20);
  write_points(folder, 20);
  folder.write("three.svm", "1 1:1\n2 1:2\n3 1:3\n1 2:1\n2 2:2\n3 2:3\n");
  folder.write("bad.svm", "1 1:1\n-1 0:1\n");
  write_bars(folder, 20, 10, 8, "small");
  folder.write("bad.toml", "[problem]\n" + bad.problem + "[network]\n" + bad.network +
                               "[algorithm]\nkind = 'k-gt'\nlocal_rate = 0.1\n"
                               "[run]\nrounds = 2\n");
  const Texts before = listing(folder.path());

  const Finished run = run_program({"run", "bad.toml", "--out", "out"}, folder.path());
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(listing(folder.path()), before) << "something was left behind";
  EXPECT_TRUE(run.err.starts_with("driftless: ")) << run.err;
  EXPECT_EQ(run.err.find("\n\n"), std::string::npos) << "more than a paragraph: " << run.err;
  for (const std::string& word : bad.words) {
    EXPECT_NE(run.err.find(word), std::string::npos) << word << " is not in: " << run.err;
  }
}

std::vector<BadLearning> keys() {
  return {
      {"HiddenThatIsText",
       "kind = 'mlp'\ndata = 'bars'\nhidden = 'abc'\n",
       {"bad.toml:4", "problem.hidden", "abc", "[2, 1]"}},
      {"HiddenOfNoUnits",
       "kind = 'mlp'\ndata = 'bars'\nhidden = '20 0'\n",
       {"bad.toml:4", "problem.hidden", "20 0", "element 2 is 0"}},
      {"HiddenOfLeastSquares", "hidden = '20'\n", {"bad.toml:2", "problem.hidden", "mlp"}},
      {"MistypedSplit",
       "kind = 'cnn'\ndata = 'bars'\nsplit = 'sortd'\n",
       {"bad.toml:4", "problem.split", "did you mean sorted?"}},
      {"AlphaOfASortedSplit",
       "kind = 'cnn'\ndata = 'bars'\nsplit = 'sorted'\nalpha = 0.1\n",
       {"bad.toml:5", "problem.alpha", "dirichlet"}},
      {"NoAlpha",
       "kind = 'cnn'\ndata = 'bars'\nsplit = 'dirichlet'\nalpha = 0\n",
       {"bad.toml:5", "problem.alpha"}},
      {"ShardsOfADirichletSplit",
       "kind = 'cnn'\ndata = 'bars'\nsplit = 'dirichlet'\nshards = 2\n",
       {"bad.toml:5", "problem.shards"}},
      {"EmptyBatch", "kind = 'cnn'\ndata = 'bars'\nbatch = 0\n", {"bad.toml:4", "problem.batch"}},
      {"MistypedSampling",
       "kind = 'cnn'\ndata = 'bars'\nsampling = 'shuffel'\n",
       {"bad.toml:4", "problem.sampling", "did you mean shuffle?"}},
      {"NegativeL2", "kind = 'softmax'\ndata = 'bars'\nl2 = -1\n", {"bad.toml:4", "problem.l2"}},
      {"DimOfACnn",
       "kind = 'cnn'\ndata = 'bars'\ndim = 50\n",
       {"bad.toml:4", "problem.dim", "least_squares"}},
      {"NonconvexSoftmax",
       "kind = 'softmax'\ndata = 'bars'\nnonconvex = 0.1\n",
       {"bad.toml:4", "problem.nonconvex", "logistic"}},
      {"MistypedKind", "kind = 'cn'\ndata = 'bars'\n", {"bad.toml:2", "problem.kind", "cnn"}},
      {"DataOfLeastSquares", "data = 'bars'\n", {"bad.toml:2", "problem.data"}},
  };
}

std::vector<BadLearning> data() {
  return {
      {"MissingData", "kind = 'cnn'\ndata = 'none'\n", {"problem.data", "none", "is not there"}},
      {"MnistThatWasNotFetched",
       "kind = 'cnn'\n",
       {"problem.data", "mnist", "driftless data fetch mnist"}},
      {"FolderWithoutImages", "kind = 'cnn'\ndata = '.'\n", {"problem.data", "idx"}},
      {"FaultyFile", "kind = 'softmax'\ndata = 'bad.svm'\n", {"problem.data", "bad.svm:2"}},
      {"MissingTestData",
       "kind = 'softmax'\ndata = 'points.svm'\ntest_data = 'none.svm'\n",
       {"problem.test_data", "none.svm"}},
      {"TestDataOfAFolder",
       "kind = 'cnn'\ndata = 'bars'\ntest_data = 'points.svm'\n",
       {"problem.test_data", "points.svm"}},
      {"CnnOnAFileWithoutImages",
       "kind = 'cnn'\ndata = 'points.svm'\n",
       {"problem.kind", "cnn", "problem.data", "28 x 28"}},
      {"CnnOnOtherImages",
       "kind = 'cnn'\ndata = 'small'\n",
       {"problem.kind", "cnn", "problem.data", "28 x 28", "8 x 8"}},
      {"LogisticOfThreeClasses",
       "kind = 'logistic'\ndata = 'three.svm'\n",
       {"problem.kind", "logistic", "3"},
       "nodes = 2\n"},
      {"MoreNodesThanSamples",
       "kind = 'cnn'\ndata = 'bars'\n",
       {"network.nodes = 21", "20"},
       "nodes = 21\n"},
      {"MoreShardsThanSamples",
       "kind = 'cnn'\ndata = 'bars'\nsplit = 'shards'\nshards = 5\n",
       {"problem.split", "shards", "network.nodes = 5", "20 samples"}},
  };
}

std::string name_of_bad_learning(const ::testing::TestParamInfo<BadLearning>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Keys, BadLearnings, ::testing::ValuesIn(keys()), name_of_bad_learning);
INSTANTIATE_TEST_SUITE_P(Data, BadLearnings, ::testing::ValuesIn(data()), name_of_bad_learning);

}  // namespace
}  // namespace driftless::testing
