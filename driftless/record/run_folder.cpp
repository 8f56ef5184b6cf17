#include "driftless/record/run_folder.hpp"

#include <array>

#include "driftless/base/file.hpp"
#include "driftless/config/key.hpp"
#include "driftless/record/metrics_file.hpp"
#include "driftless/record/npy.hpp"
#include "driftless/record/summary_file.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

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

}  // namespace driftless
