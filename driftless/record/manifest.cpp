#include "driftless/record/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "driftless/base/error.hpp"
#include "driftless/base/file.hpp"
#include "driftless/base/parse_json.hpp"
#include "driftless/base/regular_file.hpp"
#include "driftless/record/summary_file.hpp"

namespace driftless {

namespace {

namespace fs = std::filesystem;

constexpr const char* manifest_name = "manifest.json";
constexpr std::uint64_t max_runs = 100'000;

// A folder below the sweep's own, and not that itself.
bool is_below(const fs::path& path) {
  return !path.empty() && path.is_relative() &&
         std::ranges::none_of(path, [](const fs::path& name) {
           return name.empty() || name == "." || name == "..";
         });
}

std::vector<fs::path> folders_in(const nlohmann::json& list, const fs::path& file) {
  std::vector<fs::path> folders;
  for (const nlohmann::json& each : list) {
    const fs::path folder = each.is_string() ? each.get<std::string>() : "";
    if (!is_below(folder)) {
      throw DataError("{}: found {}, expected the folder of a run below that of the sweep",
                      file.string(), json_text(each));
    }
    folders.push_back(folder);
  }
  return folders;
}

// As versions before the manifest left it: the summary names the folders.
std::vector<fs::path> summarised_runs(const Folder& sweep) {
  const nlohmann::json summary = read_summary(sweep.path());
  const auto is_folder = [](const auto& entry) { return entry.is_directory(); };
  if (summary.is_null() && std::any_of(fs::directory_iterator(sweep.path()), {}, is_folder)) {
    throw DataError(
        "{}: holds a sweep of an earlier version, which was killed and does not tell which folders "
        "are its own; remove them yourself, or choose another folder",
        sweep.path().string());
  }
  nlohmann::json list = nlohmann::json::array();
  const nlohmann::json none = nlohmann::json::object();
  const auto part = [&](const nlohmann::json& of, const char* name) -> const nlohmann::json& {
    return of.is_object() && of.contains(name) ? of[name] : none;
  };
  for (const nlohmann::json& run : part(summary, "runs")) list.push_back(part(run, "folder"));
  for (const nlohmann::json& combination : part(part(summary, "tuned"), "combinations")) {
    for (const nlohmann::json& point : part(combination, "points")) {
      const nlohmann::json& folder = part(point, "folder");
      const nlohmann::json& repetitions = part(point, "n");
      list.push_back(folder);
      if (!folder.is_string() || !repetitions.is_number_unsigned()) continue;
      for (std::uint64_t k = 1; k <= std::min(repetitions.get<std::uint64_t>(), max_runs); ++k)
        list.push_back(fmt::format("{}/rep-{}", folder.get<std::string>(), k));
    }
  }
  return folders_in(list, sweep.path() / "summary.json");
}

}  // namespace

bool holds_sweep(const Folder& folder) {
  return folder.has(manifest_name) || folder.has("experiment.toml");
}

std::vector<fs::path> listed_runs(const Folder& sweep) {
  const fs::path file = sweep.path() / manifest_name;
  if (!sweep.has(manifest_name)) return summarised_runs(sweep);
  const nlohmann::json manifest = parse_json(read_file(file), file.string());
  if (manifest.is_object() && manifest.contains("runs") && manifest["runs"].is_array())
    return folders_in(manifest["runs"], file);
  throw DataError("{}: is not JSON as a sweep writes it; remove the folder yourself",
                  file.string());
}

void write_manifest(const Folder& sweep, const ExperimentPlan& plan) {
  std::vector<fs::path> runs;
  if (sweep.has(manifest_name)) runs = listed_runs(sweep);
  std::set<fs::path> known(runs.begin(), runs.end());
  for (const PlannedRun* run : plan.all_runs())
    if (known.insert(run->folder).second) runs.push_back(run->folder);
  nlohmann::ordered_json manifest;
  manifest["runs"] = nlohmann::json::array();
  for (const fs::path& run : runs) manifest["runs"].push_back(run.string());
  write_file_atomically(sweep, manifest_name, json_text(manifest));
}

}  // namespace driftless
