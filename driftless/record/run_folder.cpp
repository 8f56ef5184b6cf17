#include "driftless/record/run_folder.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "driftless/base/file.hpp"
#include "driftless/base/parse_json.hpp"
#include "driftless/config/key.hpp"
#include "driftless/record/model_file.hpp"
#include "driftless/record/npy.hpp"
#include "driftless/record/summary_file.hpp"

namespace driftless {
namespace {

// Takes the folder for a run that begins or goes on. The summary goes first: from then on the run
// is not whole, whatever stops the program, and what is left is what a resumed run expects.
Folder taken(Folder folder, const ExperimentConfig& config) {
  if (!folder.opened().lock()) {
    throw std::runtime_error(
        fmt::format("another driftless is at work in {}", folder.path().string()));
  }
  folder.remove("summary.json");
  folder.flush();
  write_file_atomically(folder, "config.toml", to_toml(config));
  return folder;
}

// The lines of metrics.csv that a run goes on from.
std::string lines_of(const std::vector<Metrics>& rows) {
  std::string lines = metrics_header();
  for (const Metrics& row : rows) lines += metrics_line(row);
  return lines;
}

}  // namespace

RunFolder::RunFolder(Folder folder, const PlannedRun& run, int threads, const FoundRun& found)
    : folder_(taken(std::move(folder), run.config)),
      run_(run),
      threads_(threads),
      last_row_(found.rows.empty() ? Metrics() : found.rows.back()),
      checkpoints_(folder_),
      metrics_(folder_, "metrics.csv", lines_of(found.rows)),
      rows_(row_rounds(run.config.run), found.rows),
      flushed_(std::chrono::steady_clock::now()) {
  if (!found.checkpoint && !checkpoints_.empty()) {
    throw std::runtime_error(
        fmt::format("{} holds checkpoints of another run", folder_.path().string()));
  }
  checkpoints_.set_aside(found.damaged);
  checkpoints_.remove_half_written();
}

void RunFolder::evaluated(const Metrics& row) {
  last_row_ = row;
  const std::string line = metrics_line(row);
  metrics_.append(line);
  rows_.add(row, line);
  const auto now = std::chrono::steady_clock::now();
  if (now - flushed_ > std::chrono::seconds(1)) {
    metrics_.flush();
    flushed_ = now;
  }
}

// Rows first: a checkpoint promises those before it.
SavePlace RunFolder::saving(const RunPosition& at) {
  metrics_.flush_to_disk();
  SavePlace place = checkpoints_.place_for(at.round);
  place.rows_before = rows_.sum();
  return place;
}

void RunFolder::saved(const RunPosition&) { checkpoints_.keep_newest(run_.config.checkpoint.keep); }

void RunFolder::ended(const RunEnd& end) {
  metrics_.flush_to_disk();
  FileSums outputs{{"metrics.csv", metrics_.sum()}};
  const auto write = [&](const char* name, const Numbers& numbers, std::span<const Index> shape) {
    outputs[name] = std::visit(
        [&](const auto& values) { return write_npy(folder_, name, values, shape); }, numbers);
  };
  write("model.npy", end.mean_model, std::array{end.dim});
  write("nodes.npy", end.models, std::array{Index{end.network.nodes()}, end.dim});
  if (end.card) {
    const std::string card = model_json(*end.card);
    write_file_atomically(folder_, "model.json", card);
    outputs["model.json"] = sum_of(card);
  }
  const auto summary = run_summary(run_, end, last_row_, threads_, outputs);
  write_file_atomically(folder_, "summary.json", json_text(summary));
}

}  // namespace driftless
