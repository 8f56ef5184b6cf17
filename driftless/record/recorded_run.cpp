#include "driftless/record/recorded_run.hpp"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "driftless/base/error.hpp"
#include "driftless/base/file.hpp"
#include "driftless/experiment/metrics.hpp"

namespace driftless {

namespace {

namespace fs = std::filesystem;

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t comma = line.find(',');
    fields.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

// Empty is no number; neither is what is not one.
std::optional<double> number_in(std::string_view field) {
  if (field.empty()) return std::numeric_limits<double>::quiet_NaN();
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error == std::errc::result_out_of_range) return std::numeric_limits<double>::infinity();
  if (error != std::errc() || end != field.data() + field.size()) return std::nullopt;
  return value;
}

// Where the file's columns stand among ours; one that we do not have goes nowhere.
std::vector<std::optional<std::size_t>> places_of(std::string_view header, const fs::path& file) {
  std::vector<std::optional<std::size_t>> places;
  for (const std::string_view name : fields_of(header)) {
    const auto columns = metric_columns();
    const auto found = std::ranges::find(columns, name, &MetricColumn::name);
    places.push_back(found == columns.end()
                         ? std::nullopt
                         : std::optional(static_cast<std::size_t>(found - columns.begin())));
  }
  if (std::ranges::find(places, std::optional<std::size_t>(0)) == places.end()) {
    throw DataError(fmt::format(
        "{}:1: found \"{}\", expected the names of columns, round among them; is it the "
        "metrics.csv of a run?",
        file.string(), header.substr(0, 60)));
  }
  return places;
}

void flatten(const toml::table& table, const std::string& prefix,
             std::map<std::string, std::string>& settings) {
  for (const auto& [key, node] : table) {
    const std::string name = fmt::format("{}{}", prefix, key.str());
    if (const toml::table* inner = node.as_table()) {
      flatten(*inner, name + '.', settings);
    } else if (const auto text = node.value<std::string>()) {
      settings[name] = *text;
    } else if (const auto integer = node.value_exact<std::int64_t>()) {
      settings[name] = fmt::format("{}", *integer);
    } else if (const auto number = node.value_exact<double>()) {
      settings[name] = fmt::format("{}", *number);
    } else if (const auto truth = node.value_exact<bool>()) {
      settings[name] = *truth ? "true" : "false";
    }
  }
}

std::map<std::string, std::string> read_settings(const fs::path& file) {
  try {
    std::map<std::string, std::string> settings;
    flatten(toml::parse(read_file(file), file.string()), "", settings);
    return settings;
  } catch (const toml::parse_error& error) {
    throw DataError(fmt::format("{}:{}: {}; the config of a run is as the run wrote it",
                                file.string(), error.source().begin.line, error.description()));
  }
}

nlohmann::json read_summary(const fs::path& file) {
  if (!fs::exists(file)) return nullptr;
  nlohmann::json summary = nlohmann::json::parse(read_file(file), nullptr, false);
  if (!summary.is_object()) {
    throw DataError(
        fmt::format("{}: is not JSON as a run writes it; run again, or remove it to "
                    "report the run as unfinished",
                    file.string()));
  }
  return summary;
}

bool is_run(const fs::path& folder) {
  return fs::exists(folder / "config.toml") && fs::exists(folder / "metrics.csv");
}

std::vector<fs::path> run_folders(const fs::path& top) {
  if (!fs::is_directory(top)) {
    throw DataError(
        fmt::format("{}: {}; expected the folder of a run or a sweep, as `driftless "
                    "run` leaves it",
                    top.string(), fs::exists(top) ? "is not a folder" : "there is no such folder"));
  }
  if (is_run(top)) return {top};
  std::vector<fs::path> found;
  for (auto entry = fs::recursive_directory_iterator(top); entry != fs::end(entry); ++entry) {
    // What the tuning tried is not what is compared; its folder can be named for itself.
    if (entry->path().filename() == "tune") entry.disable_recursion_pending();
    if (entry->is_directory() && is_run(entry->path())) found.push_back(entry->path());
  }
  std::ranges::sort(found);
  if (found.empty()) {
    throw DataError(
        fmt::format("{}: holds no run: no folder in it has config.toml and metrics.csv; "
                    "name the --out folder of a `driftless run`",
                    top.string()));
  }
  return found;
}

// Notes the order in which a sweep that has ended names its runs.
void add_places(const fs::path& sweep, std::map<fs::path, std::size_t>& places) {
  if (places.contains(sweep)) return;
  places.emplace(sweep, 0);
  const nlohmann::json summary = read_summary(sweep / "summary.json");
  if (!summary.contains("runs")) return;
  for (const auto& run : summary["runs"]) {
    places.emplace(sweep / run.value("folder", ""), places.size());
  }
}

// The folder of the sweep that the run belongs to, or its own.
fs::path experiment_of(const fs::path& run, const fs::path& top) {
  for (fs::path folder = run;; folder = folder.parent_path()) {
    if (fs::exists(folder / "experiment.toml")) return folder;
    if (folder == top) return run;
  }
}

RecordedRun read_run(const fs::path& folder, const fs::path& top) {
  return {.folder = folder,
          .experiment = experiment_of(folder, top),
          .settings = read_settings(folder / "config.toml"),
          .metrics = read_metrics_table(folder / "metrics.csv"),
          .summary = read_summary(folder / "summary.json")};
}

}  // namespace

const std::vector<double>& MetricsTable::operator[](std::string_view name) const {
  const auto all = metric_columns();
  return columns[static_cast<std::size_t>(std::ranges::find(all, name, &MetricColumn::name) -
                                          all.begin())];
}

MetricsTable read_metrics_table(const fs::path& file) {
  const std::string contents = read_file(file);
  MetricsTable table{.columns = std::vector<std::vector<double>>(metric_columns().size())};
  std::string_view rest = contents;
  std::vector<std::optional<std::size_t>> places;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) {
      table.torn = true;
      break;
    }
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    if (number == 1) {
      places = places_of(line, file);
      continue;
    }
    const std::vector<std::string_view> fields = fields_of(line);
    if (fields.size() != places.size()) {
      throw DataError(fmt::format("{}:{}: found {} fields, expected {} as in the first line",
                                  file.string(), number, fields.size(), places.size()));
    }
    for (auto& column : table.columns) column.push_back(std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < fields.size(); ++k) {
      const std::optional<double> value = number_in(fields[k]);
      if (!value) {
        throw DataError(fmt::format("{}:{}: found \"{}\", expected a number", file.string(), number,
                                    fields[k]));
      }
      if (places[k]) table.columns[*places[k]].back() = *value;
    }
  }
  return table;
}

std::string RecordedRun::setting(const std::string& key) const {
  const auto found = settings.find(key);
  return found == settings.end() ? "" : found->second;
}

std::string RecordedRun::outcome() const {
  return summary.is_object() ? summary.value("outcome", "unknown") : "unfinished";
}

std::vector<RecordedRun> read_runs(const std::vector<fs::path>& folders) {
  std::vector<RecordedRun> runs;
  std::set<fs::path> seen;
  for (const fs::path& top : folders) {
    const auto first = static_cast<std::ptrdiff_t>(runs.size());
    for (const fs::path& folder : run_folders(top)) {
      if (seen.insert(fs::canonical(folder)).second) runs.push_back(read_run(folder, top));
    }
    std::map<fs::path, std::size_t> places;
    for (const RecordedRun& run : runs) add_places(run.experiment, places);
    const auto place = [&](const RecordedRun& run) {
      const auto found = places.find(run.folder);
      return std::pair(run.experiment, found == places.end() ? places.size() : found->second);
    };
    std::ranges::stable_sort(runs.begin() + first, runs.end(), {}, place);
  }
  return runs;
}

}  // namespace driftless
