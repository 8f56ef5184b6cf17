#include <fmt/format.h>

#include "driftless/reproduce/reproduction.hpp"

namespace driftless {
namespace {

constexpr double target = 5e-3;  // as in the config

// One setting of the quantity that is varied, and the runs there.
struct Setting {
  double value;
  Where where;
};

// For each seed the exponent of the rounds to the target; none where runs are missing.
Sample exponents_over(const Measured& measured, const std::vector<Setting>& settings) {
  std::vector<double> values;
  std::vector<Sample> rounds;
  for (const Setting& setting : settings) {
    values.push_back(setting.value);
    rounds.push_back(measured(setting.where, rounds_below("suboptimality", target)));
  }
  return exponents(values, rounds);
}

// The runs that differ from the others in these keys at most.
Where base_but(Where where) {
  where.merge(Where{{"algorithm.local_steps", "8"},
                    {"network.nodes", "10"},
                    {"network.topology", "ring"},
                    {"problem.noise", "100"}});
  return where;
}

std::vector<Setting> over(const std::string& key, const std::vector<double>& values,
                          const std::string& topology = "ring") {
  std::vector<Setting> settings;
  settings.reserve(values.size());
  for (const double value : values) {
    settings.push_back(
        {value, base_but({{key, fmt::format("{}", value)}, {"network.topology", topology}})});
  }
  return settings;
}

// p of each graph is what the runs themselves report.
std::vector<Setting> over_graphs(const Measured& measured, const std::string& noise,
                                 const std::vector<std::string>& topologies) {
  std::vector<Setting> settings;
  for (const std::string& topology : topologies) {
    const Where where = base_but(
        {{"network.topology", topology}, {"network.nodes", "16"}, {"problem.noise", noise}});
    const Sample p = measured(where, [](const RecordedRun& run) {
      const nlohmann::json::json_pointer p_of_graph("/network/p");
      return run.summary.is_object() ? run.summary.value(p_of_graph, 0.0) : 0.0;
    });
    if (!p.values.empty()) settings.push_back({p.values.front(), where});
  }
  return settings;
}

}  // namespace

// The theory bounds rounds from above, so a bound is kept also where fewer were needed. Where noise
// rules it says σ²/(nKε²), which does not depend on p; without noise 1/(p²ε).
std::vector<Claim> table2_claims(Evidence& evidence) {
  const Measured& measured = evidence.of("table2");
  const std::vector<std::string> graphs{"path", "ring", "torus", "complete"};
  const std::vector<std::string> well_knit{"ring", "torus", "complete"};
  const std::vector<double> nodes{5, 10, 20, 40};
  const auto exponent_claim = [&](std::string statement, const std::vector<Setting>& settings,
                                  double low, double high) {
    return value_claim(std::move(statement), exponents_over(measured, settings), low, high);
  };
  return {
      exponent_claim("rounds ~ 1/K: the exponent of K, theory −1",
                     over("algorithm.local_steps", {1, 2, 4, 8, 16}), -1.25, -0.75),
      exponent_claim("rounds ~ σ²: the exponent of σ², theory 1",
                     over("problem.noise", {25, 50, 100, 200}), 0.75, 1.25),
      exponent_claim("rounds fall as 1/n or faster on rings, where p falls too: the exponent of n",
                     over("network.nodes", nodes), -infinity, -0.75),
      exponent_claim("the same on complete graphs, where p = 1: the exponent of n, theory −1",
                     over("network.nodes", nodes, "complete"), -infinity, -0.75),
      exponent_claim(
          "the graph does not matter, σ² = 100, from path to complete: the exponent of p",
          over_graphs(measured, "100", graphs), -0.25, 0.25),
      exponent_claim("the same where noise rules more, σ² = 1000, from ring to complete",
                     over_graphs(measured, "1000", well_knit), -0.25, 0.25),
      exponent_claim("without noise rounds grow no faster than 1/p²: the exponent of p",
                     over_graphs(measured, "0", graphs), -2, infinity)};
}

}  // namespace driftless
