#include "driftless/reproduce/reproduction.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "driftless/base/parse_json.hpp"
#include "driftless/base/version.hpp"

namespace driftless {

std::span<const Reproduction> reproductions() {
  static const std::vector<Reproduction> all = {
      {.name = "fig1",
       .title = "synthetic least squares, ten nodes on a ring",
       .full_overrides = {"run.repetitions=10"},
       .quick_overrides = {"run.repetitions=5"},
       .claims = figure1_claims},
      {.name = "fig2a",
       .title = "MNIST, one local step, random and sorted, 5 and 10 nodes",
       .metric = "test_accuracy",
       .against = "passes",
       .quick_overrides = {"algorithm.local_rate=0.1", "run.rounds=94", "run.repetitions=2"},
       .claims = figure2a_claims},
      {.name = "fig2b",
       .title = "MNIST, an epoch a round, sorted, 5 and 10 nodes",
       .metric = "test_accuracy",
       .quick_overrides = {"algorithm.local_rate=0.005", "run.rounds=4", "run.repetitions=2"},
       .claims = figure2b_claims},
      {.name = "fig3",
       .title = "MNIST, large batches against local steps",
       .metric = "test_accuracy",
       .quick_overrides = {"algorithm.local_rate=0.005", "run.rounds=4", "run.repetitions=2"},
       .claims = figure3_claims},
      {.name = "fig4",
       .title = "the data: a digit, and who has which",
       .has_runs = false,
       .claims = figure4_claims},
      {.name = "table1",
       .title = "cost at the busiest point, local steps, robustness",
       .quick_overrides = {"run.repetitions=5"},
       .claims = table1_claims},
      {.name = "table2",
       .title = "rounds of K-GT against K, n, σ² and p",
       .quick_overrides = {"run.repetitions=3", "tune.repetitions=1"},
       .claims = table2_claims},
  };
  return all;
}

std::string claims_text(const Reproduction& of, const std::vector<Claim>& claims) {
  std::string text = fmt::format("{}: {}\n", of.name, of.title);
  for (const Claim& claim : claims) {
    text += fmt::format("  {:<14} {}\n  {:<14} measured {}\n", name_of(claim.verdict),
                        claim.statement, "", claim.measured);
  }
  return text;
}

std::string claims_markdown(const Reproduction& of, const std::vector<Claim>& claims) {
  std::string text = fmt::format("### {}: {}\n\n| claim | measured | verdict |\n|---|---|---|\n",
                                 of.name, of.title);
  for (const Claim& claim : claims) {
    text +=
        fmt::format("| {} | {} | {} |\n", claim.statement, claim.measured, name_of(claim.verdict));
  }
  return text;
}

std::string claims_json(const Reproduction& of, const std::vector<Claim>& claims, bool quick,
                        double seconds) {
  nlohmann::ordered_json all;
  all["name"] = of.name;
  all["title"] = of.title;
  all["quick"] = quick;
  all["seconds"] = seconds;
  all["version"] = version();
  for (const Claim& claim : claims) {
    all["claims"].push_back({{"statement", claim.statement},
                             {"measured", claim.measured},
                             {"verdict", name_of(claim.verdict)}});
  }
  return json_text(all);
}

}  // namespace driftless
