#include "driftless/record/run_folder.hpp"

#include <algorithm>
#include <array>

#include "driftless/base/file.hpp"
#include "driftless/config/key.hpp"
#include "driftless/record/metrics_file.hpp"
#include "driftless/record/npy.hpp"
#include "driftless/record/summary_file.hpp"

namespace driftless {

namespace {

namespace fs = std::filesystem;

constexpr std::array file_names{"config.toml", "metrics.csv",     "summary.json", "model.npy",
                                "nodes.npy",   "experiment.toml", "tune.csv"};

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

RunFolder::RunFolder(fs::path folder, const PlannedRun& run, int threads, const FoundRun& found)
    : folder_((fs::create_directories(folder), std::move(folder))),
      run_(run),
      threads_(threads),
      checkpoints_(folder_),
      metrics_(cut_back(folder_ / "metrics.csv", found),
               found.checkpoint ? CsvFile::Begin::at_its_end : CsvFile::Begin::empty),
      flushed_(std::chrono::steady_clock::now()) {
  fs::remove(folder_ / "summary.json");  // it is not whole any more
  checkpoints_.remove_after(found.checkpoint ? found.checkpoint->position.round : -1);
  if (!found.rows.empty()) last_row_ = found.rows.back();
  if (!found.checkpoint) metrics_.append(metrics_header());
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
fs::path RunFolder::saving(const RunPosition& at) {
  metrics_.flush_to_disk();
  return checkpoints_.file_for(at.round);
}

void RunFolder::saved(const RunPosition&) { checkpoints_.keep_newest(run_.config.checkpoint.keep); }

void RunFolder::ended(const RunEnd& end) {
  metrics_.flush_to_disk();
  const auto write = [&](const char* name, const Numbers& numbers, std::span<const Index> shape) {
    std::visit([&](const auto& values) { write_npy(folder_ / name, values, shape); }, numbers);
  };
  write("model.npy", end.mean_model, std::array{end.dim});
  write("nodes.npy", end.models, std::array{Index{end.mixing.nodes()}, end.dim});
  write_file_atomically(folder_ / "summary.json",
                        run_summary(run_, end, last_row_, threads_).dump(2) + "\n");
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
