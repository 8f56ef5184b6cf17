#include "driftless/problem/learning_options.hpp"

#include "driftless/base/named.hpp"
#include "driftless/data/batches.hpp"
#include "driftless/data/split.hpp"

namespace driftless {
namespace {

bool value_names_sites(const Value& value) { return names_sites(from_value<NamedFiles>(value)); }

using L = LearningOptions;

void describe_data(OptionsOf<L>& options) {
  options
      .add(
          "data", &L::data,
          "mnist, or a file (CSV, .npy, .npz, LIBSVM) or folder of IDX files, seen from this file; "
          "with {node} in its name, or as a list, one a node")
      .or_known("mnist");
  options.add("test_data", &L::test_data,
              "the file that the model is tested on; one for all nodes, or one a node likewise");
  options.add("label", &L::label,
              "what is learnt: the column of a CSV by its name, of an .npy by its number (default: "
              "the last), the array of an .npz (default: y)");
  options.add("delimiter", &L::delimiter, "between the fields of a CSV; \"\\t\": a tabulator");
  options.add("ignore", &L::ignore, "columns of a CSV that are no features: [\"id\"]");
  options.add("classes", &L::classes,
              "all classes that there are, where no single file has them all: [\"no\", \"yes\"]");
  options.add("standardise", &L::standardise,
              "shift and scale every feature to mean 0 and deviation 1, by sums over all nodes");
}

void describe_split(OptionsOf<L>& options) {
  const Option::Replacement sites{
      .option = "data", .when = value_names_sites, .subject = "one file a node in problem.data"};
  options.add("split", &L::split, "which node has which samples")
      .one_of(names_of<std::string>(values_of<Split>))
      .unless_given(sites);
  options.add("alpha", &L::alpha, "of the Dirichlet split: the smaller, the more unequal")
      .above(0)
      .only_for("split", {"dirichlet"})
      .unless_given(sites);
  options.add("shards", &L::shards, "pieces of the sorted samples that a node has")
      .at_least(1)
      .only_for("split", {"shards"})
      .unless_given(sites);
  options
      .add("validation", &L::validation,
           "share of every node's samples that is held out from training, to tune by")
      .at_least(0)
      .at_most(0.9);
  options.add("weighting", &L::weighting, "f weighs all nodes alike, or by their samples")
      .one_of({"alike", "samples"});
}

}  // namespace

void LearningOptions::describe(OptionsOf<LearningOptions>& options) {
  describe_data(options);
  describe_split(options);
  options.add("batch", &L::batch, "samples of a stochastic gradient").at_least(1);
  options.add("sampling", &L::sampling, "a fresh order each pass, or independent draws")
      .one_of({"shuffle", "iid"});
  options.add("l2", &L::l2, "lambda of lambda/2 |x|^2, added to every f_i").at_least(0);
  options.add("nonconvex", &L::nonconvex, "lambda of lambda sum x_j^2/(1 + x_j^2), added likewise")
      .at_least(0);
  options.add("intercept", &L::intercept, "a parameter that is added to every sample's answer");
  options.add("hidden", &L::hidden, "units of each hidden layer: 200, or [300, 100]")
      .at_least(1)
      .at_most(1e6)
      .or_empty();
  options.add("optimum", &L::optimum,
              "find the minimum first, so that the suboptimality can be told; needs l2 > 0");
}

ReadOptions read_options(const LearningOptions& options, LabelType label_type) {
  return {.label_type = label_type,
          .label = options.label,
          .delimiter = options.delimiter.front(),
          .ignore = options.ignore,
          .classes = options.classes};
}

}  // namespace driftless
