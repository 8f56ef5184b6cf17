#include <fmt/format.h>

#include "driftless/reproduce/reproduction.hpp"

namespace driftless {

// "Grows" is a factor of 2 at least, "the same level" one of 2 at most.
std::vector<Claim> figure1_claims(Evidence& evidence) {
  const Measured& measured = evidence.of("fig1");
  const auto runs = [](const char* kind, int local_steps, int heterogeneity) {
    return Where{{"algorithm.kind", kind},
                 {"algorithm.local_steps", std::to_string(local_steps)},
                 {"problem.heterogeneity", std::to_string(heterogeneity)}};
  };
  const auto levels = [&](const char* kind, int local_steps, int heterogeneity) {
    return measured(runs(kind, local_steps, heterogeneity), final_mean("suboptimality"));
  };
  std::vector<Claim> claims;
  for (const int steps : {1, 20}) {
    claims.push_back(ratio_claim(
        fmt::format("D-SGD ends higher with heterogeneity: ζ² = 100 against 0, K = {}", steps),
        levels("d-sgd", steps, 100), levels("d-sgd", steps, 0), 2, infinity));
  }
  claims.push_back(ratio_claim("D-SGD's drift grows with K: K = 20 against 1, ζ² = 10",
                               levels("d-sgd", 20, 10), levels("d-sgd", 1, 10), 2, infinity));
  claims.push_back(ratio_claim("D-SGD ends above K-GT: ζ² = 10, K = 20", levels("d-sgd", 20, 10),
                               levels("k-gt", 20, 10), 2, infinity));
  const std::pair<const char*, const char*> trackers[] = {
      {"k-gt", "K-GT"},
      {"periodical-gt", "Periodical GT"},
      {"periodical-gt-full", "Periodical GT with full gradients"},
      {"large-batch-gt", "Large-batch GT"}};
  for (const auto& [kind, name] : trackers) {
    claims.push_back(
        ratio_claim(fmt::format("{} ends level whatever ζ²: 100 against 0, K = 20", name),
                    levels(kind, 20, 100), levels(kind, 20, 0), 0.5, 2));
  }
  for (const auto& [kind, name] : trackers) {
    if (kind == trackers[0].first) continue;
    claims.push_back(ratio_claim(fmt::format("{} ends level with K-GT: K = 20, ζ² = 1", name),
                                 levels(kind, 20, 1), levels("k-gt", 20, 1), 0.5, 2));
  }
  claims.push_back(ratio_claim("K-GT ends level whatever K: 20 against 1, ζ² = 1",
                               levels("k-gt", 20, 1), levels("k-gt", 1, 1), 0.5, 2));
  const Reading rounds = rounds_below("suboptimality", 1e-4);
  for (const char* kind : {"k-gt", "periodical-gt-full", "large-batch-gt"}) {
    claims.push_back(ratio_claim(
        fmt::format("K = 20 takes a twentieth of the rounds (K/2 to 2K fewer): {} to 1e-4, ζ² = 1",
                    kind),
        measured(runs(kind, 1, 1), rounds), measured(runs(kind, 20, 1), rounds), 10, 40));
  }
  return claims;
}

}  // namespace driftless
