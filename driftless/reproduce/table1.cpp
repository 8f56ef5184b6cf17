#include <fmt/format.h>

#include "driftless/reproduce/reproduction.hpp"

namespace driftless {
namespace {

struct Row {
  const char* kind;
  const char* name;
  bool served;  // cost O(n) at the busiest point, else O(Δ)
  bool local_steps;
  bool robust;
};

// As printed.
constexpr Row rows[] = {
    {"scaffold", "SCAFFOLD", true, true, true}, {"gossip-pga", "Gossip-PGA", false, true, false},
    {"d-sgd", "D-SGD", false, true, false},     {"gt", "GT", false, false, true},
    {"d2", "D²", false, false, true},           {"k-gt", "K-GT", false, true, true}};

// How the bytes of the busiest point grow with n, for each seed: 0 does not, 1 in proportion.
Sample growth(const Measured& measured, const std::string& kind, const std::string& topology) {
  const std::vector<double> nodes{8, 16, 32, 64};
  std::vector<Sample> bytes;  // of each n
  bytes.reserve(nodes.size());
  for (const double n : nodes) {
    bytes.push_back(measured({{"algorithm.kind", kind},
                              {"algorithm.local_steps", "1"},
                              {"network.topology", topology},
                              {"network.nodes", fmt::format("{}", n)}},
                             last_value("bytes_busiest")));
  }
  return exponents(nodes, bytes);
}

}  // namespace

std::vector<Claim> table1_claims(Evidence& evidence) {
  const Measured& measured = evidence.of("table1");
  std::vector<Claim> claims;
  for (const Row& row : rows) {
    claims.push_back(value_claim(
        fmt::format("{}: the busiest point costs O({}): the exponent of n on a ring", row.name,
                    row.served ? "n" : "Δ"),
        growth(measured, row.kind, "ring"), row.served ? 0.9 : -0.1, row.served ? 1.1 : 0.1));
  }
  claims.push_back(
      value_claim("K-GT: the same on a complete graph, where Δ = n − 1: the exponent of n",
                  growth(measured, "k-gt", "complete"), 0.9, 1.1));

  const auto runs = [&](const Row& row, int steps, int heterogeneity) {
    return Where{{"algorithm.kind", row.kind},
                 {"network.nodes", "10"},
                 {"algorithm.local_steps", std::to_string(steps)},
                 {"problem.heterogeneity", std::to_string(heterogeneity)}};
  };
  for (const Row& row : rows) {
    if (!row.local_steps) continue;
    const Reading rounds = rounds_below("suboptimality", 1e-2);
    claims.push_back(ratio_claim(
        fmt::format("{}: local steps save rounds: K = 1 against 10, to 1e-2, ζ² = 0", row.name),
        measured(runs(row, 1, 0), rounds), measured(runs(row, 10, 0), rounds), 5, infinity));
  }
  for (const Row& row : rows) {
    const int steps = row.local_steps ? 10 : 1;
    const Reading level = final_mean("suboptimality");
    claims.push_back(ratio_claim(
        fmt::format("{}: {} by heterogeneity: the final gap at ζ² = 100 against 0, K = {}",
                    row.name, row.robust ? "not harmed" : "harmed", steps),
        measured(runs(row, steps, 100), level), measured(runs(row, steps, 0), level),
        row.robust ? 0.5 : 2, row.robust ? 2 : infinity));
  }
  return claims;
}

}  // namespace driftless
