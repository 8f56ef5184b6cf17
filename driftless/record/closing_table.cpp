#include "driftless/record/closing_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "driftless/record/result_text.hpp"

namespace driftless {
namespace {

std::string heading_of(std::string_view key) {
  if (key == "algorithm.kind") key = "method";
  return std::string(key.substr(key.rfind('.') + 1));
}

// "0.1", or "0.5 (edge)" at the end of its values.
std::string chosen_text(const Tuning& tuning, std::size_t key, const CombinationResult& result) {
  if (!result.chosen) return "none";
  const std::vector<std::string> edges = keys_at_edge(tuning, *result.plan, *result.chosen);
  const bool edge = std::ranges::find(edges, tuning.keys[key]) != edges.end();
  const std::string& value = result.plan->candidates[*result.chosen].values[key];
  return fmt::format("{}{}", value, edge ? " (edge)" : "");
}

// "site-3.csv", or "site-3.csv (4 of 5)" where runs differ in which site is served worst.
std::string worst_site_text(const CombinationResult& result) {
  std::map<std::string, std::size_t> times;
  for (const RunDigest& run : result.runs) ++times[run.worst_site()];
  const auto by_times = [](const auto& entry) { return entry.second; };
  const auto& [site, count] = *std::ranges::max_element(times, {}, by_times);
  if (count == result.runs.size()) return site;
  return fmt::format("{} ({} of {})", site, count, result.runs.size());
}

struct Column {
  std::string heading;
  std::function<std::string(const CombinationResult&)> text;  // of a combination
};

auto of_runs(std::string (*text)(std::span<const RunDigest>)) {
  return [text](const CombinationResult& result) { return text(result.runs); };
}

// Columns name the combination by its varied keys, or else by its method, and tell what came of it.
std::vector<Column> columns_of(const ExperimentPlan& plan, const Results& results) {
  std::vector<Column> columns;
  for (std::size_t k = 0; k < plan.varied_keys.size(); ++k) {
    columns.push_back({heading_of(plan.varied_keys[k]),
                       [k](const auto& result) { return result.plan->varied[k].second; }});
  }
  if (columns.empty()) {
    columns.push_back({"method", [](const auto& result) {
                         return result.plan->runs.front().config.algorithm.kind;
                       }});
  }
  for (std::size_t k = 0; plan.tuning && k < plan.tuning->keys.size(); ++k) {
    columns.push_back({heading_of(plan.tuning->keys[k]), [&plan, k](const auto& result) {
                         return chosen_text(*plan.tuning, k, result);
                       }});
  }
  if (plan.target) {
    columns.push_back({fmt::format("rounds to {}", *plan.target), of_runs(rounds_text)});
    columns.push_back({"bytes", of_runs(bytes_text)});
  }
  const bool known = any_run(results, &RunDigest::optimum_known);
  columns.push_back({known ? "final suboptimality" : "final loss", of_runs(level_text)});
  const auto add_accuracy = [&](const char* heading, DigestNumber number) {
    if (!any_run(results, [&](const RunDigest& run) { return (run.*number)().has_value(); }))
      return;
    columns.push_back(
        {heading, [number](const auto& result) { return decimals_text(result.runs, number); }});
  };
  add_accuracy("test R²", &RunDigest::r2);
  add_accuracy("test accuracy", &RunDigest::accuracy);
  add_accuracy("nodes' own", &RunDigest::node_accuracy);
  add_accuracy("worst node's", &RunDigest::worst_accuracy);
  if (any_run(results, [](const RunDigest& run) { return !run.worst_site().empty(); })) {
    columns.push_back({"worst served", worst_site_text});
  }
  return columns;
}

}  // namespace

std::string closing_table(const ExperimentPlan& plan, const Results& results, std::size_t width) {
  std::vector<std::vector<std::string>> lines(1 + results.size());
  for (const Column& column : columns_of(plan, results)) {
    lines[0].push_back(column.heading);
    for (std::size_t c = 0; c < results.size(); ++c)
      lines[c + 1].push_back(column.text(results[c]));
  }
  return aligned(lines, std::max<std::size_t>(1, plan.varied_keys.size()), width);
}

}  // namespace driftless
