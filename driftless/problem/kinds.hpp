#pragma once

#include <array>
#include <string_view>

namespace driftless {

struct ProblemKind {
  std::string_view name;  // in config files
  std::string_view summary;
  bool learns = false;  // from samples
};

inline constexpr std::array problem_kinds{
    ProblemKind{"least_squares",
                "f_i(x) = 1/2 |A_i x - b_i|^2: the paper's synthetic one, or from problem.file"},
    ProblemKind{"softmax", "linear softmax regression (convex)", true},
    ProblemKind{"logistic", "binary logistic regression, without a bias (convex)", true},
    ProblemKind{"mlp", "fully connected layers of problem.hidden units, with ReLU", true},
    ProblemKind{"cnn", "the paper's convolutional network for images of 28 x 28", true},
};

}  // namespace driftless
