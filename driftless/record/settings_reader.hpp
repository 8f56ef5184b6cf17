#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace driftless {

// Settings of a run as texts, by their full names: "algorithm.kind" is "k-gt".
using RecordedSettings = std::map<std::string, std::string>;

// Reads the config.toml of run after run. Those of a sweep differ in a line or two, so a line that
// was parsed once is not parsed again.
class SettingsReader {
 public:
  // Throws DataError where the file cannot be read or is not TOML.
  RecordedSettings read(const std::filesystem::path& file);
  // The same of a text; `name` is that of the file.
  RecordedSettings parse(const std::string& text, const std::string& name);

 private:
  // What a line says that is a whole TOML file by itself.
  struct Line {
    enum class Kind { nothing, section, setting, other };
    Kind kind = Kind::other;
    std::string name = {};   // of the section or the key
    std::string value = {};  // of the setting
  };

  static Line parsed(std::string_view text);
  const Line& line(std::string_view text);
  std::optional<RecordedSettings> read_by_lines(std::string_view text);

  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;  // NOLINT(readability-identifier-naming): the library's name
  };
  std::unordered_map<std::string, Line, Hash, std::equal_to<>> lines_;  // by their texts
};

}  // namespace driftless
