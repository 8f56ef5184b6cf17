#include "driftless/record/outputs.hpp"

#include "driftless/base/error.hpp"

namespace driftless {

namespace fs = std::filesystem;

FileSums recorded_sums(const nlohmann::json& summary, const char* which) {
  const auto found = summary.find(which);
  if (found == summary.end()) return {};
  const std::optional<FileSums> sums = file_sums_in(*found);
  if (!sums) throw DataError("summary.json: {} is not a list of files with their sums", which);
  return *sums;
}

void check_outputs(const fs::path& folder, const nlohmann::json& summary) {
  for (const auto& [name, sum] : recorded_sums(summary, "outputs")) {
    const fs::path file = folder / fs::path(name).filename();
    const bool there = fs::exists(file);
    if (there && fs::file_size(file) == sum.bytes && sum_of_file(file) == sum) continue;
    throw DataError(
        "{}: {} since the run wrote it; restore it, or remove {} to do the run again",
        file.string(),
        !there ? "was removed"
        : fs::file_size(file) != sum.bytes
            ? fmt::format("was changed from {} bytes to {}", sum.bytes, fs::file_size(file))
            : "was changed",
        folder.string());
  }
}

}  // namespace driftless
