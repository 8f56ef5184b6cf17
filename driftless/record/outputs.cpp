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

namespace {

// What happened to the file since; empty: nothing.
std::string change_of(const fs::path& file, const FileSum& sum, Look look) {
  std::error_code fault;
  const std::uint64_t size = fs::file_size(file, fault);
  if (fault == std::errc::no_such_file_or_directory) return "was removed";
  if (!fault && size != sum.bytes)
    return fmt::format("was changed from {} bytes to {}", sum.bytes, size);
  const bool only_size = !fault && look == Look::glance && file.extension() == ".npy";
  return only_size || sum_of_file(file) == sum ? "" : "was changed";
}

}  // namespace

void check_outputs(const fs::path& folder, const nlohmann::json& summary, Look look) {
  for (const auto& [name, sum] : recorded_sums(summary, "outputs")) {
    const fs::path file = folder / fs::path(name).filename();
    const std::string change = change_of(file, sum, look);
    if (change.empty()) continue;
    throw DataError("{}: {} since the run wrote it; restore it, or remove {} and do the run again",
                    file.string(), change, folder.string());
  }
}

}  // namespace driftless
