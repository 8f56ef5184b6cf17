#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/config/faults.hpp"
#include "driftless/config/key.hpp"

namespace driftless {

// One value that the user gave to one key.
struct Setting {
  const Key* key;
  std::optional<Value> value;  // empty: it is faulty, and the fault is noted
  Place place;
};

// The values of one key of a sweep, in the order of the file.
struct SweepAxis {
  const Key* key;
  std::vector<Setting> values;
};

// A [sweep] table: all combinations of its axes. The last axis runs fastest.
using SweepGrid = std::vector<SweepAxis>;
using GridPoint = std::vector<const Setting*>;  // a value of each axis
double number_of_points(const SweepGrid& grid);
std::vector<GridPoint> points_of(const SweepGrid& grid);

// What a config file and its overrides say, each value checked on its own.
struct ConfigFile {
  std::string source_name;
  std::filesystem::path folder;   // absolute; relative paths start here, in overrides too
  std::vector<Setting> settings;  // those of --set last: a later one replaces an earlier one
  std::vector<SweepGrid> grids;   // at least one; its only one may be without axes
  SweepGrid tune;                 // the keys that [tune] gives values to choose from
  bool tune_overridden = false;   // --set took keys from it
  std::map<std::string, int, std::less<>> section_lines;  // where each section begins
  Faults faults;
};

// `overrides` are "key=value" as --set takes them: a TOML value, or else a bare text. They replace
// what the file says, in its sections and in its sweep: an overridden key is not swept any more.
// Throws a ConfigError when the text is not TOML or has a hundred faults; else they go to `faults`.
ConfigFile read_config(std::string_view toml_text, std::string source_name,
                       const std::filesystem::path& folder, std::span<const std::string> overrides);

}  // namespace driftless
