#include "driftless/record/run_folder.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "driftless/base/file.hpp"
#include "driftless/base/version.hpp"
#include "driftless/config/config.hpp"
#include "driftless/record/json_number.hpp"
#include "driftless/record/metrics_file.hpp"
#include "driftless/record/npy.hpp"

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

ordered_json fields_of(const Metrics& row) {
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

ordered_json summary(const PlannedRun& run, const RunEnd& end, const Metrics& last, int threads) {
  const MixingMatrix& mixing = end.network.mixing;
  const Spectrum& spectrum = end.network.spectrum;
  ordered_json s;
  s["outcome"] = name_of(end.result.outcome);
  if (!end.result.diagnosis.empty()) s["diagnosis"] = end.result.diagnosis;
  s["algorithm"] = run.config.algorithm.kind;
  s["combination"] = run.combination;
  s["repetition"] = run.repetition;
  s["seed"] = run.config.run.seed;
  s["last"] = fields_of(last);
  s["network"] = {{"nodes", mixing.nodes()},
                  {"edges", mixing.edges()},
                  {"max_degree", mixing.max_degree()},
                  {"p", json_number(spectrum.p)},
                  {"spectral_gap", json_number(spectrum.gap)},
                  {"lambda_2", json_number(spectrum.lambda2)},
                  {"lambda_min", json_number(spectrum.lambda_min)},
                  {"edge_list", edge_list(mixing)}};
  s["traffic"] = {{"bytes_total", end.traffic.total()},
                  {"bytes_busiest", end.traffic.busiest()},
                  {"bytes_each_edge_and_direction", end.traffic.edge()},
                  {"bytes_each_node_to_server", end.traffic.uplink()}};
  s["problem"] = {{"dim", end.dim}};
  if (end.smoothness) s["problem"]["smoothness"] = *end.smoothness;
  if (end.optimal_value) s["problem"]["optimal_value"] = json_number(*end.optimal_value);
  s["seconds"] = last.seconds;
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
  CheckpointFolder(folder).remove_all();
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

// Cuts metrics.csv back to the rows that a run continues from; gives the file back.
fs::path cut_back(fs::path file, const FoundRun& found) {
  if (!found.checkpoint) return file;
  std::string text = metrics_header();
  for (const Metrics& row : found.rows) text += metrics_line(row);
  write_file_atomically(file, text);
  return file;
}

}  // namespace

RunFolder::RunFolder(fs::path folder, const PlannedRun& run, int threads, FoundRun found)
    : folder_((fs::create_directories(folder), std::move(folder))),
      run_(run),
      threads_(threads),
      found_(std::move(found)),
      checkpoints_(folder_),
      metrics_(cut_back(folder_ / "metrics.csv", found_),
               found_.checkpoint ? CsvFile::Begin::at_its_end : CsvFile::Begin::empty),
      flushed_(std::chrono::steady_clock::now()) {
  fs::remove(folder_ / "summary.json");  // it is not whole any more
  checkpoints_.remove_after(found_.checkpoint ? found_.checkpoint->position.round : -1);
  if (!found_.rows.empty()) last_row_ = found_.rows.back();
  if (!found_.checkpoint) metrics_.append(metrics_header());
  write_file_atomically(folder_ / "config.toml", to_toml(run.config));
}

void RunFolder::evaluated(const Metrics& row) {
  last_row_ = row;
  metrics_.append(metrics_line(row));
  const auto now = std::chrono::steady_clock::now();
  if (now - flushed_ > std::chrono::seconds(1)) {
    metrics_.flush();
    flushed_ = now;
  }
}

// Rows first: a checkpoint promises those before it.
void RunFolder::save(const RunState& state) {
  metrics_.flush_to_disk();
  checkpoints_.save(to_toml(run_.config), state, run_.config.checkpoint.keep);
}

void RunFolder::ended(const RunEnd& end) {
  metrics_.flush_to_disk();
  const auto write = [&](const char* name, const Numbers& numbers, std::span<const Index> shape) {
    std::visit([&](const auto& values) { write_npy(folder_ / name, values, shape); }, numbers);
  };
  write("model.npy", end.mean_model, std::array{end.dim});
  write("nodes.npy", end.models, std::array{Index{end.network.mixing.nodes()}, end.dim});
  write_file_atomically(folder_ / "summary.json",
                        summary(run_, end, last_row_, threads_).dump(2) + "\n");
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
