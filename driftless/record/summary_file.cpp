#include "driftless/record/summary_file.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cmath>

#include "driftless/base/error.hpp"
#include "driftless/base/file.hpp"
#include "driftless/base/version.hpp"

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

}  // namespace

ordered_json estimate_json(const std::optional<Estimate>& figure, const char* interval) {
  if (!figure) return nullptr;
  return {{"mean", figure->mean}, {interval, or_null(figure->half_width)}, {"n", figure->n}};
}

ordered_json run_summary(const PlannedRun& run, const RunEnd& end, const Metrics& last, int threads,
                         const FileSums& outputs) {
  const MixingMatrix& mixing = end.mixing;
  const Spectrum& spectrum = end.spectrum;
  ordered_json s;
  s["outcome"] = name_of(end.result.outcome);
  if (!end.result.diagnosis.empty()) s["diagnosis"] = end.result.diagnosis;
  s["algorithm"] = run.config.algorithm.kind;
  s["combination"] = run.combination;
  s["repetition"] = run.repetition;
  s["seed"] = run.config.run.seed;
  s["last"] = fields_of(last);
  s["network"] = {{"nodes", mixing.nodes()},           {"edges", mixing.edges()},
                  {"max_degree", mixing.max_degree()}, {"p", spectrum.p},
                  {"spectral_gap", spectrum.gap},      {"lambda_2", spectrum.lambda2},
                  {"lambda_min", spectrum.lambda_min}, {"edge_list", edge_list(mixing)}};
  s["traffic"] = {{"bytes_total", end.traffic.total()},
                  {"bytes_busiest", end.traffic.busiest()},
                  {"bytes_each_edge_and_direction", end.traffic.edge()},
                  {"bytes_each_node_to_server", end.traffic.uplink()}};
  s["problem"] = {{"dim", end.dim}};
  if (end.smoothness) s["problem"]["smoothness"] = *end.smoothness;
  if (end.optimal_value) s["problem"]["optimal_value"] = *end.optimal_value;
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
  nlohmann::json summary = nlohmann::json::parse(read_file(file), nullptr, false);
  if (summary.is_object()) return summary;
  throw DataError(
      "{}: is not JSON as a run writes it; run again, or remove it to report the run as "
      "unfinished",
      file.string());
}

}  // namespace driftless
