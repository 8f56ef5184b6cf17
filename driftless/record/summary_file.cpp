#include "driftless/record/summary_file.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "driftless/base/error.hpp"
#include "driftless/base/parse_json.hpp"
#include "driftless/base/regular_file.hpp"
#include "driftless/base/text.hpp"
#include "driftless/base/version.hpp"
#include "driftless/record/quality_json.hpp"

namespace driftless {

using nlohmann::ordered_json;

namespace {

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : "unknown";
}

ordered_json fields_of(const Metrics& row) {
  ordered_json last;
  for (const MetricColumn& column : metric_columns()) {
    const double number = column.number(row);
    const bool whole = number == std::floor(number) && std::abs(number) < 1e15;
    last[std::string(column.name)] =
        whole ? ordered_json(static_cast<std::int64_t>(number)) : ordered_json(number);
  }
  return last;
}

// "0-1 0-9 1-2", for whoever draws the network; empty where a drawing would show nothing.
std::string edge_list(const MixingMatrix& mixing) {
  constexpr NodeId most_nodes = 100;
  std::string edges;
  if (mixing.nodes() > most_nodes) return edges;
  for (NodeId i = 0; i < mixing.nodes(); ++i) {
    for (const NodeId j : mixing.row(i).nodes) {
      if (i < j) edges += fmt::format("{}{}-{}", edges.empty() ? "" : " ", i, j);
    }
  }
  return edges;
}

// The counts as texts, a node each: as numbers they would take most of the file's lines.
ordered_json split_json(const ToldSplit& split) {
  ordered_json nodes;
  for (const auto& counts : split.counts)
    nodes.push_back(fmt::format("{}", fmt::join(counts, " ")));
  return {{"classes", split.class_names}, {"samples", nodes}};
}

using Type = nlohmann::json::value_t;

// What a summary says where readers look, it says as a run writes it; all else may be anything. A
// `where` that is given is the object's place in the summary.
void check_field(const nlohmann::json& object, const char* name, Type expected,
                 const std::filesystem::path& file, const std::string& where = "") {
  const auto found = object.find(name);
  if (found == object.end()) return;
  const bool fits = expected == Type::number_float ? found->is_number() : found->type() == expected;
  if (fits) return;
  throw DataError(
      "{}: {}{} is {}, expected {}; run again, or remove the file to report the run as unfinished",
      file.string(), where, name, found->type_name(), nlohmann::json(expected).type_name());
}

// "5923 0 17": so many counts.
bool are_counts(const nlohmann::json& told, std::size_t classes) {
  if (!told.is_string()) return false;
  std::istringstream words(told.get<std::string>());
  for (std::string word; words >> word;) {
    const auto count = parse_integer(word);
    if (!count || *count < 0 || classes-- == 0) return false;
  }
  return classes == 0;
}

void check_split(const nlohmann::json& split, const std::filesystem::path& file) {
  const auto is_list = [&](const char* name) {
    return split.contains(name) && split[name].is_array() && split[name].size() <= most_told;
  };
  const auto is_name = [](const nlohmann::json& name) { return name.is_string(); };
  if (is_list("classes") && is_list("samples") && std::ranges::all_of(split["classes"], is_name)) {
    const auto fits = [&](const nlohmann::json& node) {
      return are_counts(node, split["classes"].size());
    };
    if (std::ranges::all_of(split["samples"], fits)) return;
  }
  throw DataError(
      "{}: split is not as a run writes it: expected the names of the classes, and for every node "
      "as many counts, of at most {} classes and nodes; run again, or remove the file to report "
      "the "
      "run as unfinished",
      file.string(), most_told);
}

void check_summary(const nlohmann::json& summary, const std::filesystem::path& file) {
  if (!summary.is_object()) {
    throw DataError(
        "{}: is not an object as a run writes it; run again, or remove it to report the run as "
        "unfinished",
        file.string());
  }
  check_field(summary, "outcome", Type::string, file);
  check_field(summary, "diagnosis", Type::string, file);
  check_field(summary, "network", Type::object, file);
  if (summary.contains("network"))
    check_field(summary["network"], "p", Type::number_float, file, "network.");
  check_field(summary, "split", Type::object, file);
  if (summary.contains("split")) check_split(summary["split"], file);
  check_field(summary, "runs", Type::array, file);
  if (!summary.contains("runs")) return;
  for (const nlohmann::json& run : summary["runs"]) {
    if (!run.is_object()) {
      throw DataError("{}: runs holds {}, expected objects", file.string(), run.type_name());
    }
    check_field(run, "folder", Type::string, file, "runs: ");
  }
}

ordered_json network_json(const PreparedNetwork& network) {
  if (!network.mixing) {
    return {{"nodes", network.nodes()},
            {"most_peers", network.sequence->most_peers()},
            {"period", network.sequence->period()},
            {"p", network.period.p},
            {"p_rounds", network.period.rounds}};
  }
  const MixingMatrix& mixing = *network.mixing;
  const Spectrum& spectrum = *network.spectrum;
  return {{"nodes", mixing.nodes()},           {"edges", mixing.edges()},
          {"max_degree", mixing.max_degree()}, {"p", spectrum.p},
          {"spectral_gap", spectrum.gap},      {"lambda_2", spectrum.lambda2},
          {"lambda_min", spectrum.lambda_min}, {"edge_list", edge_list(mixing)}};
}

ordered_json faults_json(const FaultCounts& faults) {
  return {{"drops", faults.drops},
          {"pauses", faults.pauses},
          {"crashes", faults.crashes},
          {"joins", faults.joins},
          {"late_letters", faults.late_letters}};
}

}  // namespace

ordered_json numbers_json(std::span<const RunDigest> runs, DigestNumber number,
                          const char* interval) {
  const std::vector<double> values = numbers_of(runs, number);
  if (values.empty()) return nullptr;
  const Estimate found = estimate(values);
  const bool all = values.size() == runs.size();
  return {{"mean", all ? ordered_json(found.mean) : ordered_json(nullptr)},
          {interval, all ? or_null(found.half_width) : ordered_json(nullptr)},
          {"min", found.least},
          {"max", found.greatest},
          {"n", found.n}};
}

ordered_json run_summary(const PlannedRun& run, const RunEnd& end, const Metrics& last, int threads,
                         const FileSums& outputs) {
  ordered_json s;
  s["outcome"] = name_of(end.result.outcome);
  if (!end.result.diagnosis.empty()) s["diagnosis"] = end.result.diagnosis;
  s["algorithm"] = run.config.algorithm.kind;
  s["combination"] = run.combination;
  s["repetition"] = run.repetition;
  s["seed"] = run.config.run.seed;
  s["last"] = fields_of(last);
  s["network"] = network_json(end.network);
  if (end.faults) s["faults"] = faults_json(*end.faults);
  s["traffic"] = {{"bytes_total", end.traffic.total()},
                  {"bytes_busiest", end.traffic.busiest()},
                  {"bytes_each_edge_and_direction", end.traffic.edge()},
                  {"bytes_each_node_to_server", end.traffic.uplink()}};
  s["problem"] = {{"dim", end.dim}};
  if (end.smoothness) s["problem"]["smoothness"] = *end.smoothness;
  if (end.optimal_value) s["problem"]["optimal_value"] = *end.optimal_value;
  if (end.split) s["split"] = split_json(*end.split);
  if (end.quality && end.card) {
    s["quality"] = quality_json(*end.quality, end.card->shape.class_names);
  }
  s["inputs"] = to_json_object(end.inputs);
  s["outputs"] = to_json_object(outputs);
  s["seconds"] = last.seconds;
  s["threads"] = threads;
  s["host"] = host_name();
  s["ended"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  s["versions"] = {{"driftless", version()}, {"compiler", compiler()}, {"eigen", eigen_version()}};
  return s;
}

nlohmann::json read_summary(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "summary.json";
  if (!std::filesystem::exists(file)) return nullptr;
  constexpr std::uint64_t longest = 64'000'000;  // 100,000 runs of a sweep have room
  return parse_summary(read_file(file, longest), file);
}

nlohmann::json parse_summary(std::string_view text, const std::filesystem::path& file) {
  nlohmann::json summary = parse_json(text, file.string());
  check_summary(summary, file);
  return summary;
}

}  // namespace driftless
