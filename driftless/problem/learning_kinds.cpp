#include <algorithm>
#include <array>

#include "driftless/problem/data_source.hpp"
#include "driftless/problem/learning_options.hpp"
#include "driftless/problem/own_kinds.hpp"

namespace driftless {

std::vector<ProblemKind> learning_kinds() {
  const auto kind = [](std::string name, std::string summary, std::vector<std::string> own) {
    std::vector<Option> options;
    for (const Option& option : options_of<LearningOptions>().list()) {
      constexpr std::array<std::string_view, 5> of_some = {"nonconvex", "hidden", "intercept",
                                                           "optimum", "classes"};
      const bool of_all = std::ranges::find(of_some, option.name) == of_some.end();
      if (of_all || std::ranges::find(own, option.name) != own.end()) options.push_back(option);
    }
    return ProblemKind{
        .name = std::move(name),
        .summary = std::move(summary),
        .learns = true,
        .options = std::move(options),
        .sized_by = "data",
        .sized_where = [](const Value& data) { return from_value<NamedFiles>(data).size() > 1; },
        .group = "learning",
        .open = open_data_source};
  };
  return {kind("linear", "linear regression of numbers, by mean squared error (convex)",
               {"intercept", "optimum"}),
          kind("softmax", "linear softmax regression (convex)", {"classes", "optimum"}),
          kind("logistic", "binary logistic regression (convex)",
               {"classes", "nonconvex", "intercept", "optimum"}),
          kind("mlp", "fully connected layers of problem.hidden units, with ReLU",
               {"classes", "hidden"}),
          kind("cnn", "the paper's convolutional network for images of 28 x 28", {"classes"})};
}

}  // namespace driftless
