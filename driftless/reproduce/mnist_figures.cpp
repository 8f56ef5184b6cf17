// Figures 2 and 3: accuracies on MNIST, means over the last fifth of the rounds; a run that
// diverged has 0. Each claim is judged for the average model and for the models that the nodes
// have.
#include <fmt/format.h>

#include "driftless/base/function_ref.hpp"
#include "driftless/reproduce/reproduction.hpp"

namespace driftless {
namespace {

struct Method {
  const char* kind;
  const char* name;
};
constexpr Method k_gt{"k-gt", "K-GT"};
constexpr Method d_sgd{"d-sgd", "D-SGD"};
constexpr Method rivals[] = {d_sgd,
                             {"periodical-gt", "Periodical GT"},
                             {"periodical-gt-full", "Periodical GT with full gradients"}};

// Claims of one measure of accuracy, about the runs of a figure that were tuned by it.
class Judge {
 public:
  Judge(Evidence& evidence, const Measure& measure) : evidence_(evidence), measure_(measure) {}

  Sample accuracy(const char* figure, const Where& where) const {
    return runs(figure)(where, zero_if_diverged(final_mean(std::string(measure_.column))));
  }
  Sample rounds_to_reach(const char* figure, const Where& where) const {
    return runs(figure)(where, rounds_to(std::string(measure_.column), measure_.moderate));
  }
  void add(Claim claim) {
    claim.measure = measure_.name;
    claims_.push_back(std::move(claim));
  }
  const std::vector<Claim>& claims() const { return claims_; }
  const Measure& measure() const { return measure_; }

 private:
  const Measured& runs(const char* figure) const {
    return evidence_.of(fmt::format("{}/{}", figure, measure_.folder));
  }

  Evidence& evidence_;
  const Measure& measure_;
  std::vector<Claim> claims_;
};

// The same claims for every measure, one claim after the other, each by all measures.
std::vector<Claim> judged_by_all(Evidence& evidence, FunctionRef<void(Judge&)> judge) {
  std::vector<std::vector<Claim>> found;
  for (const Measure& measure : accuracy_measures()) {
    Judge one(evidence, measure);
    judge(one);
    found.push_back(one.claims());
  }
  std::vector<Claim> claims;
  for (std::size_t k = 0; k < found.front().size(); ++k)
    for (const std::vector<Claim>& of_measure : found) claims.push_back(of_measure[k]);
  return claims;
}

Where one_step(const Method& method, const char* split, int nodes) {
  return {{"algorithm.kind", method.kind},
          {"problem.split", split},
          {"network.nodes", std::to_string(nodes)}};
}

Where epoch_a_round(const char* problem, const Method& method, int nodes) {
  return {{"problem.kind", problem},
          {"algorithm.kind", method.kind},
          {"network.nodes", std::to_string(nodes)}};
}

constexpr int steps_of_an_epoch(int nodes) { return 470 / nodes; }

}  // namespace

std::vector<Claim> figure2a_claims(Evidence& evidence) {
  return judged_by_all(evidence, [](Judge& judge) {
    const auto accuracy = [&](const Method& method, const char* split, int nodes) {
      return judge.accuracy("fig2a", one_step(method, split, nodes));
    };
    for (const int nodes : {5, 10}) {
      judge.add(difference_claim(
          fmt::format("random split, n = {}: GT and D-SGD do alike: difference of accuracy", nodes),
          accuracy(k_gt, "random", nodes), accuracy(d_sgd, "random", nodes), -0.02, 0.02));
      judge.add(difference_claim(
          fmt::format("sorted split, n = {}: GT is better than D-SGD: difference of accuracy",
                      nodes),
          accuracy(k_gt, "sorted", nodes), accuracy(d_sgd, "sorted", nodes), 0, infinity));
      for (const Method& method : {Method{"k-gt", "GT"}, d_sgd}) {
        judge.add(difference_claim(
            fmt::format("n = {}: {} on sorted data does not reach random data: accuracy lost",
                        nodes, method.name),
            accuracy(method, "random", nodes), accuracy(method, "sorted", nodes), 0, infinity));
      }
    }
  });
}

std::vector<Claim> figure2b_claims(Evidence& evidence) {
  return judged_by_all(evidence, [](Judge& judge) {
    for (const char* problem : {"cnn", "softmax"}) {
      const auto accuracy = [&](const Method& method, int nodes) {
        return judge.accuracy("fig2b", epoch_a_round(problem, method, nodes));
      };
      const auto gain = [&](int nodes) {
        return difference(accuracy(k_gt, nodes), accuracy(d_sgd, nodes));
      };
      for (const int nodes : {5, 10}) {
        for (const Method& rival : rivals) {
          judge.add(difference_claim(
              fmt::format("{}, n = {}, K = {}: K-GT is better than {}: difference of accuracy",
                          problem, nodes, steps_of_an_epoch(nodes), rival.name),
              accuracy(k_gt, nodes), accuracy(rival, nodes), 0, infinity));
        }
      }
      judge.add(difference_claim(
          fmt::format("{}: K-GT gains more over D-SGD with more heterogeneity: n = 10 against 5",
                      problem),
          gain(10), gain(5), 0, infinity));
    }
  });
}

// What the paper says of both halves together.
std::vector<Claim> figure2_claims(Evidence& evidence) {
  return judged_by_all(evidence, [](Judge& judge) {
    const auto one = [&](const Method& method, const char* split, int nodes) {
      return judge.accuracy("fig2a", one_step(method, split, nodes));
    };
    const auto epoch = [&](const Method& method, int nodes) {
      return judge.accuracy("fig2b", epoch_a_round("cnn", method, nodes));
    };
    for (const int nodes : {5, 10}) {
      const int steps = steps_of_an_epoch(nodes);
      const auto recovers = [&](const Method& method, const Method& baseline) {
        judge.add(difference_claim(
            fmt::format("n = {}, K = {}: {} on sorted data does not reach K = 1 on random data: "
                        "accuracy lost",
                        nodes, steps, method.name),
            one(baseline, "random", nodes), epoch(method, nodes), 0, infinity));
      };
      recovers(k_gt, k_gt);
      for (const Method& rival : rivals) recovers(rival, rival.kind == d_sgd.kind ? d_sgd : k_gt);
      for (const Method& method : {k_gt, d_sgd}) {
        judge.add(difference_claim(
            fmt::format("n = {}: more local steps on sorted data cost {} accuracy: K = 1 after 5 "
                        "epochs against K = {} after 24",
                        nodes, method.name, steps),
            one(method, "sorted", nodes), epoch(method, nodes), 0, infinity));
      }
      const Sample slow = judge.rounds_to_reach("fig2a", one_step(k_gt, "sorted", nodes));
      const Sample fast = judge.rounds_to_reach("fig2b", epoch_a_round("cnn", k_gt, nodes));
      judge.add(ratio_claim(
          fmt::format("n = {}: local steps save K-GT many rounds: K = 1 against {} to an accuracy "
                      "of {}",
                      nodes, steps, judge.measure().moderate),
          slow, fast, 5, infinity));
      judge.add(ratio_claim(
          fmt::format("n = {}: but not as many as K = {} times: the same ratio", nodes, steps),
          slow, fast, 0, steps));
    }
  });
}

std::vector<Claim> figure3_claims(Evidence& evidence) {
  return judged_by_all(evidence, [](Judge& judge) {
    for (const char* problem : {"cnn", "softmax"}) {
      const auto accuracy = [&](const char* kind) {
        return judge.accuracy("fig3", {{"problem.kind", problem}, {"algorithm.kind", kind}});
      };
      judge.add(difference_claim(
          fmt::format("{}: Large-batch GT and K-GT reach a similar accuracy: difference", problem),
          accuracy("large-batch-gt"), accuracy("k-gt"), -0.05, 0.05));
      judge.add(difference_claim(
          fmt::format("{}: D-SGD does better with local steps than with a large batch: difference",
                      problem),
          accuracy("d-sgd"), accuracy("large-batch-d-sgd"), 0, infinity));
    }
  });
}

}  // namespace driftless
