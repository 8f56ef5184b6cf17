#include "driftless/record/finished_runs.hpp"

#include "driftless/base/error.hpp"
#include "driftless/base/file.hpp"
#include "driftless/base/version.hpp"
#include "driftless/config/key.hpp"
#include "driftless/config/parse_toml.hpp"
#include "driftless/record/found_run.hpp"
#include "driftless/record/summary_file.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

bool is_of_this_version(const fs::path& folder) {
  const nlohmann::json summary = read_summary(folder);
  return summary.is_object() && summary.value("/versions/driftless"_json_pointer, "") == version();
}

}  // namespace

FinishedRuns::FinishedRuns(const std::vector<fs::path>& folders) {
  for (const fs::path& top : folders) {
    if (!fs::exists(top)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top)) {
      if (entry.path().filename() != "config.toml") continue;
      const fs::path folder = entry.path().parent_path();
      if (fs::exists(folder / "summary.json"))
        by_config_.emplace(read_file(entry.path(), longest_config), folder);
    }
  }
}

std::optional<Folder> FinishedRuns::find(const PlannedRun& run, const FileSums& inputs) const {
  const auto found = by_config_.find(to_toml(run.config));
  if (found == by_config_.end()) return std::nullopt;
  try {
    Folder folder(found->second);
    PlannedRun there = run;
    there.folder.clear();
    if (is_of_this_version(found->second) && find_run(folder, there, inputs).ended) return folder;
  } catch (const InputError&) {  // it is done again
  }
  return std::nullopt;
}

void copy_run(const Folder& from, const Folder& to) {
  for (const std::string& name : from.names()) {
    const bool last = name == "summary.json";
    if (!last && fs::is_regular_file(from.where() / name))
      write_file_atomically(to, name, read_file(from.where() / name));
  }
  write_file_atomically(to, "summary.json", read_file(from.where() / "summary.json"));
}

}  // namespace driftless
