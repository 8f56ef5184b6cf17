#pragma once

#include <string>
#include <vector>

#include "driftless/base/option.hpp"
#include "driftless/base/types.hpp"
#include "driftless/data/read_options.hpp"
#include "driftless/data/sites.hpp"

namespace driftless {

// The options of all kinds of problems that learn from samples.
struct LearningOptions {
  NamedFiles data = {"mnist"};
  NamedFiles test_data = {};
  std::string label = {};
  std::string delimiter = ",";
  std::vector<std::string> ignore = {};
  std::vector<std::string> classes = {};
  bool standardise = false;
  std::string split = "sorted";
  double alpha = 0.1;
  int shards = 2;
  double validation = 0;
  std::string weighting = "alike";
  int batch = 128;
  std::string sampling = "shuffle";
  double l2 = 0.0;
  double nonconvex = 0.0;
  bool intercept = true;
  std::vector<Index> hidden = {200};
  bool optimum = false;

  static void describe(OptionsOf<LearningOptions>& options);
};

ReadOptions read_options(const LearningOptions& options, LabelType label_type);

}  // namespace driftless
