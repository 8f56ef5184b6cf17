#include "driftless/record/settings_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "driftless/base/error.hpp"
#include "driftless/base/regular_file.hpp"
#include "driftless/config/parse_toml.hpp"

namespace driftless {
namespace {

std::optional<std::string> value_text_of(const toml::node& node);

// The elements with a blank between them, so that "300 100", as version 0.1 wrote lists, and
// [300, 100] are alike.
std::optional<std::string> value_text_of(const toml::array& list) {
  std::vector<std::string> texts;
  for (const toml::node& element : list) {
    std::optional<std::string> text = element.is_array() ? std::nullopt : value_text_of(element);
    if (!text) return std::nullopt;
    texts.push_back(std::move(*text));
  }
  return fmt::format("{}", fmt::join(texts, " "));
}

// None where it is no value of a setting: a date, a table, a list of lists.
std::optional<std::string> value_text_of(const toml::node& node) {
  return node.visit([](const auto& value) -> std::optional<std::string> {
    using Node = decltype(value);
    if constexpr (toml::is_array<Node>) {
      return value_text_of(value);
    } else if constexpr (toml::is_string<Node> || toml::is_number<Node> || toml::is_boolean<Node>) {
      return fmt::format("{}", *value);
    } else {
      return std::nullopt;
    }
  });
}

void flatten(const toml::table& table, const std::string& prefix, RecordedSettings& settings) {
  for (const auto& [key, node] : table) {
    const std::string name = fmt::format("{}{}", prefix, key.str());
    if (const toml::table* inner = node.as_table()) {
      flatten(*inner, name + '.', settings);
    } else if (std::optional<std::string> value = value_text_of(node)) {
      settings[name] = std::move(*value);
    }
  }
}

}  // namespace

SettingsReader::Line SettingsReader::parsed(std::string_view text) {
  toml::table table;
  try {
    // Behind a line break, as in the file: only there is a byte order mark a fault.
    table = parse_toml(fmt::format("\n{}", text), "line");
  } catch (const ConfigError&) {
    return {.kind = Line::Kind::other};
  }
  if (table.empty()) return {.kind = Line::Kind::nothing};
  const auto first = table.cbegin();
  const std::string name(first->first.str());
  const toml::node& node = first->second;
  const toml::table* inner = node.as_table();
  if (inner != nullptr && inner->empty() && text.starts_with('['))
    return {.kind = Line::Kind::section, .name = name};
  if (std::optional<std::string> value = value_text_of(node))
    return {.kind = Line::Kind::setting, .name = name, .value = std::move(*value)};
  return {.kind = Line::Kind::other};
}

const SettingsReader::Line& SettingsReader::line(std::string_view text) {
  const auto known = lines_.find(text);
  if (known != lines_.end()) return known->second;
  return lines_.emplace(text, parsed(text)).first->second;
}

// None where a line means nothing without the others, or where two may be at odds: then the text
// must be parsed as a whole. Else it says what its lines say, since nothing in TOML reaches beyond
// a line that is whole but the section it opens.
std::optional<RecordedSettings> SettingsReader::read_by_lines(std::string_view text) {
  RecordedSettings settings;
  std::set<std::string_view> sections;
  std::string prefix;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const Line& said = line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    switch (said.kind) {
      case Line::Kind::nothing:
        break;
      case Line::Kind::section:
        if (!sections.insert(said.name).second) return std::nullopt;
        prefix = said.name + '.';
        break;
      case Line::Kind::setting:
        if (prefix.empty() || !settings.emplace(prefix + said.name, said.value).second)
          return std::nullopt;
        break;
      case Line::Kind::other:
        return std::nullopt;
    }
  }
  return settings;
}

RecordedSettings SettingsReader::read(const std::filesystem::path& file) {
  return parse(read_file(file, longest_config), file.string());
}

RecordedSettings SettingsReader::parse(const std::string& text, const std::string& name) {
  if (std::optional<RecordedSettings> settings = read_by_lines(text)) return std::move(*settings);
  try {
    RecordedSettings settings;
    flatten(parse_toml(text, name), "", settings);
    return settings;
  } catch (const ConfigError& error) {
    throw DataError("{}; the config of a run is as the run wrote it", error.what());
  }
}

}  // namespace driftless
