#include "driftless/reproduce/reproduction.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "driftless/base/parse_json.hpp"
#include "driftless/base/version.hpp"

namespace driftless {

std::span<const Measure> accuracy_measures() {
  static constexpr std::array measures{
      Measure{"average_model", "average model", "test_accuracy", 0.4},
      Measure{"own_models", "nodes' own models", "node_accuracy", 0.15}};
  return measures;
}

std::span<const Reproduction> reproductions() {
  static const std::vector<Reproduction> all = {
      {.name = "fig1",
       .title = "synthetic least squares, ten nodes on a ring",
       .figure = {.panels = "all"},
       .full_overrides = {"run.repetitions=10"},
       .quick_overrides = {"run.repetitions=5"},
       .claims = figure1_claims},
      {.name = "fig2a",
       .title = "MNIST, one local step, random and sorted, 5 and 10 nodes",
       .of_accuracy = true,
       .figure = {.against = "passes", .panels = "network.nodes"},
       .quick_overrides = {"algorithm.local_rate=0.1", "run.rounds=47", "run.evaluate_every=47",
                           "run.repetitions=2"},
       .quick_without = {{"algorithm.kind", "periodical-gt-full"}},
       .claims = figure2a_claims},
      {.name = "fig2b",
       .title = "MNIST, an epoch a round, sorted, 5 and 10 nodes",
       .of_accuracy = true,
       .figure = {.panels = "network.nodes", .only = {{"problem.kind", "cnn"}}},
       .quick_overrides = {"algorithm.local_rate=0.005", "run.rounds=4", "run.repetitions=2"},
       .claims = figure2b_claims},
      {.name = "fig2",
       .title = "MNIST, an epoch a round against one local step",
       .has_runs = false,
       .needs = {"fig2a", "fig2b"},
       .of_accuracy = true,
       .claims = figure2_claims},
      {.name = "fig3",
       .title = "MNIST, large batches against local steps",
       .of_accuracy = true,
       .figure = {.panels = "none", .only = {{"problem.kind", "cnn"}}},
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

std::vector<ReproducedExperiment> experiments_of(const Reproduction& of, bool quick) {
  if (!of.has_runs) return {};
  const std::vector<std::string>& overrides = quick ? of.quick_overrides : of.full_overrides;
  if (!of.of_accuracy) return {{.name = std::string(of.name), .overrides = overrides}};
  std::vector<ReproducedExperiment> experiments;
  for (const Measure& measure : accuracy_measures()) {
    experiments.push_back({.name = fmt::format("{}/{}", of.name, measure.folder),
                           .overrides = overrides,
                           .metric = measure.column});
    experiments.back().overrides.push_back(fmt::format("tune.metric={}", measure.column));
  }
  return experiments;
}

namespace {

// What is claimed, and of which accuracy.
std::string statement_of(const Claim& claim) {
  return claim.measure.empty() ? claim.statement
                               : fmt::format("{} ({})", claim.statement, claim.measure);
}

nlohmann::ordered_json json_of(const Interval& interval) {
  const auto bound = [](double value) {  // JSON knows no infinity
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
  };
  return {bound(interval.low), bound(interval.high)};
}

nlohmann::ordered_json json_of(const Side& side) {
  return {{"experiment", side.experiment},
          {"settings", side.where},
          {"seeds", side.seeds},
          {"values", side.values},
          {"configs", side.configs}};
}

nlohmann::ordered_json json_of(const Claim& claim) {
  nlohmann::ordered_json json{{"statement", claim.statement}};
  if (!claim.measure.empty()) json["measure"] = claim.measure;
  json["measured"] = claim.measured;
  json["verdict"] = name_of(claim.verdict);
  if (claim.mean) json["mean"] = *claim.mean;
  if (claim.interval) json["interval_95"] = json_of(*claim.interval);
  if (claim.expected) json["expected"] = json_of(*claim.expected);
  if (!claim.sample.sides.empty()) json["seeds"] = claim.sample.seeds;
  for (const Side& side : claim.sample.sides) json["runs"].push_back(json_of(side));
  return json;
}

}  // namespace

std::string claims_text(const Reproduction& of, const std::vector<Claim>& claims) {
  std::string text = fmt::format("{}: {}\n", of.name, of.title);
  for (const Claim& claim : claims) {
    text += fmt::format("  {:<14} {}\n  {:<14} measured {}\n", name_of(claim.verdict),
                        statement_of(claim), "", claim.measured);
  }
  return text;
}

std::string claims_markdown(const Reproduction& of, const std::vector<Claim>& claims) {
  std::string text = fmt::format("### {}: {}\n\n| claim | measured | verdict |\n|---|---|---|\n",
                                 of.name, of.title);
  for (const Claim& claim : claims) {
    text += fmt::format("| {} | {} | {} |\n", statement_of(claim), claim.measured,
                        name_of(claim.verdict));
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
  for (const Claim& claim : claims) all["claims"].push_back(json_of(claim));
  return json_text(all);
}

}  // namespace driftless
