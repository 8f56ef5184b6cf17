// Figures 2 and 3: test accuracies on MNIST, the last (2a) or the mean over the last fifth of the
// rounds; a run that diverged has 0.
#include <fmt/format.h>

#include "driftless/reproduce/measured.hpp"
#include "driftless/reproduce/reproduction.hpp"

namespace driftless {

std::vector<Claim> figure2a_claims(const std::filesystem::path& folder) {
  const Measured measured(folder);
  const auto accuracy = [&](const char* kind, const char* split, int nodes) {
    return measured({{"algorithm.kind", kind},
                     {"problem.split", split},
                     {"network.nodes", std::to_string(nodes)}},
                    zero_if_diverged(last_value("test_accuracy")));
  };
  std::vector<Claim> claims;
  for (const int nodes : {5, 10}) {
    claims.push_back(difference_claim(
        fmt::format("random split, n = {}: GT and D-SGD do alike: difference of accuracy", nodes),
        accuracy("k-gt", "random", nodes), accuracy("d-sgd", "random", nodes), -0.02, 0.02));
    claims.push_back(difference_claim(
        fmt::format("sorted split, n = {}: GT is better than D-SGD: difference of accuracy", nodes),
        accuracy("k-gt", "sorted", nodes), accuracy("d-sgd", "sorted", nodes), 0, infinity));
    claims.push_back(difference_claim(
        fmt::format("n = {}: sorted does not reach random, also with GT: accuracy lost", nodes),
        accuracy("k-gt", "random", nodes), accuracy("k-gt", "sorted", nodes), 0, infinity));
  }
  return claims;
}

std::vector<Claim> figure2b_claims(const std::filesystem::path& folder) {
  const Measured measured(folder);
  struct Setting {
    const char* problem;
    int nodes, local_steps;
  };
  const auto accuracy = [&](const Setting& setting, const char* kind) {
    return measured({{"problem.kind", setting.problem},
                     {"algorithm.kind", kind},
                     {"algorithm.local_steps", std::to_string(setting.local_steps)},
                     {"network.nodes", std::to_string(setting.nodes)}},
                    zero_if_diverged(final_mean("test_accuracy")));
  };
  std::vector<Claim> claims;
  const auto compare = [&](const Setting& setting) {
    for (const auto& [kind, name] :
         {std::pair{"d-sgd", "D-SGD"}, std::pair{"periodical-gt", "Periodical GT"}}) {
      claims.push_back(difference_claim(
          fmt::format("{}, n = {}, K = {}: K-GT is better than {}: difference of accuracy",
                      setting.problem, setting.nodes, setting.local_steps, name),
          accuracy(setting, "k-gt"), accuracy(setting, kind), 0, infinity));
    }
  };
  const auto gain = [&](const Setting& setting) {
    return differences(accuracy(setting, "k-gt"), accuracy(setting, "d-sgd"));
  };
  for (const char* problem : {"cnn", "softmax"}) {
    const Setting five{.problem = problem, .nodes = 5, .local_steps = 94};
    const Setting ten{.problem = problem, .nodes = 10, .local_steps = 47};
    compare(five);
    compare(ten);
    claims.push_back(difference_claim(
        fmt::format("{}: K-GT gains more over D-SGD with more heterogeneity: n = 10 against 5",
                    problem),
        gain(ten), gain(five), 0, infinity));
  }
  compare({.problem = "cnn", .nodes = 10, .local_steps = 5});
  return claims;
}

std::vector<Claim> figure3_claims(const std::filesystem::path& folder) {
  const Measured measured(folder);
  std::vector<Claim> claims;
  for (const char* problem : {"cnn", "softmax"}) {
    const auto accuracy = [&](const char* kind) {
      return measured({{"problem.kind", problem}, {"algorithm.kind", kind}},
                      zero_if_diverged(final_mean("test_accuracy")));
    };
    claims.push_back(difference_claim(
        fmt::format("{}: Large-batch GT and K-GT reach a similar accuracy: difference", problem),
        accuracy("large-batch-gt"), accuracy("k-gt"), -0.05, 0.05));
    claims.push_back(difference_claim(
        fmt::format("{}: D-SGD does better with local steps than with a large batch: difference",
                    problem),
        accuracy("d-sgd"), accuracy("large-batch-d-sgd"), 0, infinity));
  }
  return claims;
}

}  // namespace driftless
