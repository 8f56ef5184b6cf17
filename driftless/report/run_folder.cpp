#include "driftless/report/run_folder.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "driftless/base/file.hpp"
#include "driftless/base/version.hpp"
#include "driftless/experiment/config.hpp"
#include "driftless/report/npy.hpp"

namespace driftless {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::array file_names{"config.toml", "metrics.csv",     "summary.json", "model.npy",
                                "nodes.npy",   "experiment.toml", "tune.csv"};

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : "unknown";
}

// JSON has no NaN: a number that is not finite is null.
ordered_json number(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json last_row(const Metrics& row) {
  ordered_json last;
  for (const MetricColumn& column : metric_columns()) {
    const std::string text = column.text(row);
    const std::string name(column.name);
    last[name] = text.empty() ? ordered_json(nullptr)
                              : ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (last[name].is_discarded()) last[name] = nullptr;
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

ordered_json summary(const PlannedRun& run, const RunEnd& end, int threads) {
  const MixingMatrix& mixing = end.network.mixing;
  const Spectrum& spectrum = end.network.spectrum;
  ordered_json s;
  s["outcome"] = name_of(end.result.outcome);
  if (!end.result.diagnosis.empty()) s["diagnosis"] = end.result.diagnosis;
  s["algorithm"] = run.config.algorithm.kind;
  s["combination"] = run.combination;
  s["repetition"] = run.repetition;
  s["seed"] = run.config.run.seed;
  s["last"] = last_row(end.result.last);
  s["network"] = {{"nodes", mixing.nodes()},
                  {"edges", mixing.edges()},
                  {"max_degree", mixing.max_degree()},
                  {"p", number(spectrum.p)},
                  {"spectral_gap", number(spectrum.gap)},
                  {"lambda_2", number(spectrum.lambda2)},
                  {"lambda_min", number(spectrum.lambda_min)},
                  {"edge_list", edge_list(mixing)}};
  s["traffic"] = {{"bytes_total", end.traffic.total()},
                  {"bytes_busiest", end.traffic.busiest()},
                  {"bytes_each_edge_and_direction", end.traffic.edge()},
                  {"bytes_each_node_to_server", end.traffic.uplink()}};
  s["problem"] = {{"dim", end.dim}};
  if (end.smoothness) s["problem"]["smoothness"] = *end.smoothness;
  if (end.optimal_value) s["problem"]["optimal_value"] = number(*end.optimal_value);
  s["seconds"] = end.result.last.seconds;
  s["threads"] = threads;
  s["host"] = host_name();
  s["ended"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  s["versions"] = {{"driftless", version()}, {"compiler", compiler()}, {"eigen", eigen_version()}};
  return s;
}

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory() && !entry.is_symlink()) found.push_back(entry.path());
  }
  return found;
}

void remove_files(const fs::path& folder) {
  for (const std::string name : file_names) {
    fs::remove(folder / name);
    fs::remove(folder / (name + ".partial"));  // of a program that was killed
  }
}

// "kind=k-gt,heterogeneity=10", "base", "rep-2" or "tune": how a sweep names the folders in its
// own.
bool is_named_by_a_sweep(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name.find('=') != std::string::npos || name.starts_with("rep-") || name == "base" ||
         name == "tune";
}

// Deepest first, so that a folder which this empties goes too.
void remove_sweep_folders(const fs::path& folder) {
  for (const fs::path& inner : folders_in(folder)) {
    if (!is_named_by_a_sweep(inner)) continue;
    remove_sweep_folders(inner);
    remove_files(inner);
    if (fs::is_empty(inner)) fs::remove(inner);
  }
}

}  // namespace

RunFolder::RunFolder(fs::path folder, const PlannedRun& run, int threads)
    : folder_((fs::create_directories(folder), std::move(folder))),
      run_(run),
      threads_(threads),
      metrics_(folder_ / "metrics.csv"),
      flushed_(std::chrono::steady_clock::now()) {
  write_file_atomically(folder_ / "config.toml", to_toml(run.config));
  std::vector<std::string> names;
  for (const MetricColumn& column : metric_columns()) names.emplace_back(column.name);
  metrics_.append(csv_line(names));
}

void RunFolder::evaluated(const Metrics& row) {
  std::vector<std::string> fields;
  for (const MetricColumn& column : metric_columns()) fields.push_back(column.text(row));
  metrics_.append(csv_line(fields));
  const auto now = std::chrono::steady_clock::now();
  if (now - flushed_ > std::chrono::seconds(1)) {
    metrics_.flush();
    flushed_ = now;
  }
}

void RunFolder::ended(const RunEnd& end) {
  metrics_.close();
  const auto write = [&](const char* name, const Numbers& numbers, std::span<const Index> shape) {
    std::visit([&](const auto& values) { write_npy(folder_ / name, values, shape); }, numbers);
  };
  write("model.npy", end.mean_model, std::array{end.dim});
  write("nodes.npy", end.models, std::array{Index{end.network.mixing.nodes()}, end.dim});
  write_file_atomically(folder_ / "summary.json", summary(run_, end, threads_).dump(2) + "\n");
}

bool holds_run(const fs::path& folder) {
  return std::ranges::any_of(file_names,
                             [&](const char* name) { return fs::exists(folder / name); });
}

void remove_runs(const fs::path& top) {
  // Only a sweep has runs in folders below; elsewhere they are runs of their own.
  if (fs::exists(top / "experiment.toml")) remove_sweep_folders(top);
  remove_files(top);
}

}  // namespace driftless
