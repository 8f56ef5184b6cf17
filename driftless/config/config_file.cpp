#include "driftless/config/config_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/base/error.hpp"
#include "driftless/base/text.hpp"
#include "driftless/config/key.hpp"
#include "driftless/config/parse_toml.hpp"
#include "driftless/config/toml_value.hpp"

namespace driftless {
namespace {

// A table with nothing but "value" in it: what stands after the '=' of an override. A text without
// quotes is not TOML, but what one types in a shell: algorithm.kind=k-gt.
toml::table override_value(std::string_view text) {
  try {
    toml::table table = parse_toml(fmt::format("value = {}", text), "--set");
    if (table.size() == 1) return table;
  } catch (const ConfigError&) {
    // Then it is a bare text.
  }
  return toml::table{{"value", std::string(text)}};
}

class Reader {
 public:
  Reader(std::string source_name, const std::filesystem::path& folder) {
    file_.source_name = std::move(source_name);
    file_.folder = std::filesystem::absolute(folder).lexically_normal();
  }

  ConfigFile read(std::string_view text, std::span<const std::string> overrides) {
    toml::table document = parse_toml(text, file_.source_name);
    if (const toml::node* sweep = document.get("sweep")) read_sweep(*sweep);
    document.erase("sweep");
    if (const toml::node* tune = document.get("tune")) read_tune(*tune);
    document.erase("tune");
    for (auto&& [name, node] : document)
      file_.section_lines.emplace(name.str(), static_cast<int>(name.source().begin.line));
    for (const Leaf& leaf : leaves_in(document)) read_setting(leaf);
    if (file_.grids.empty()) file_.grids.emplace_back();
    for (const std::string& argument : overrides) read_override(argument);
    return std::move(file_);
  }

 private:
  // A value in the file, under its dotted name.
  struct Leaf {
    std::string name;
    const toml::node* node;
    toml::source_position position;
  };

  // So many faults are those of another file, and there may be a million.
  void add_fault(const Place& place, std::string message) {
    constexpr int enough = 100;
    file_.faults.add(place, std::move(message));
    if (file_.faults.count() >= enough) file_.faults.throw_if_any(file_.source_name);
  }

  Place place_at(toml::source_position position) const {
    const auto line = static_cast<int>(position.line);
    return {fmt::format("{}:{}", file_.source_name, line), line};
  }

  // Every value in the table and below, in the order of the file: toml++ sorts a table's keys by
  // name, but users mean an order.
  std::vector<Leaf> leaves_in(const toml::table& table) {
    std::vector<Leaf> leaves;
    for (auto&& [name, node] : table)
      collect_leaves(std::string(name.str()), node, name.source().begin, leaves);
    std::ranges::stable_sort(leaves, {}, &Leaf::position);
    return leaves;
  }

  // An unknown table is one fault, not one for each key in it.
  void collect_leaves(const std::string& name, const toml::node& node,
                      toml::source_position position, std::vector<Leaf>& leaves) {
    const bool is_section = std::ranges::find(config_sections(), name) != config_sections().end();
    const toml::table* table = node.as_table();
    if (is_section && table == nullptr) {
      add_fault(place_at(position),
                fmt::format("{0} must be a section [{0}] with keys of its own", name));
    } else if (is_section) {
      for (auto&& [key, child] : *table)
        collect_leaves(fmt::format("{}.{}", name, key.str()), child, key.source().begin, leaves);
    } else if (table == nullptr || find_key(name)) {
      leaves.push_back({name, &node, position});
    } else {
      const bool nested = name.find('.') != std::string::npos;
      add_fault(place_at(position), nested ? unknown_key(name) : unknown_section(name));
    }
  }

  void read_setting(const Leaf& leaf) {
    const Place place = place_at(leaf.position);
    const Key* key = known_key(leaf.name, place);
    if (key == nullptr) return;
    if (std::ranges::find(file_.settings, key, &Setting::key) != file_.settings.end()) {
      add_fault(place, fmt::format("{} is given twice", leaf.name));
      return;
    }
    file_.settings.push_back(check(*key, *leaf.node, place));
  }

  const Key* known_key(std::string_view name, const Place& place) {
    const Key* key = find_key(name);
    if (key == nullptr) add_fault(place, unknown_key(name));
    return key;
  }

  Setting check(const Key& key, const toml::node& node, const Place& place) {
    Setting setting{.key = &key, .value = value_for(key, node), .place = place};
    if (!setting.value) {
      add_fault(place, fault_of_node(key, node));
      return setting;
    }
    const std::string fault = key.fault(*setting.value);
    if (!fault.empty()) {
      add_fault(place, fmt::format("{} = {}: {}", key.name, toml_literal(*setting.value), fault));
      setting.value.reset();
    } else if (key.names_files()) {
      setting.value = with_each_text(*setting.value, [&](const std::string& path) {
        return path == key.known_name ? path : (file_.folder / path).lexically_normal().string();
      });
    }
    return setting;
  }

  void read_sweep(const toml::node& node) {
    if (const toml::table* table = node.as_table()) {
      read_grid(*table);
      return;
    }
    const toml::array* grids = node.as_array();
    if (grids == nullptr || !grids->is_array_of_tables()) {
      add_fault(place_at(node.source().begin),
                "sweep must be a table [sweep], or several of them: [[sweep]]");
      return;
    }
    for (const toml::node& grid : *grids) read_grid(*grid.as_table());
  }

  void read_grid(const toml::table& table) {
    file_.grids.emplace_back();
    for (const Leaf& leaf : leaves_in(table)) read_axis(leaf, file_.grids.back());
  }

  // Its own keys are settings; any other gets values to choose from.
  void read_tune(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      add_fault(place_at(node.source().begin),
                "tune must be a section [tune] with keys of its own");
      return;
    }
    for (Leaf& leaf : leaves_in(*table)) {
      const Place place = place_at(leaf.position);
      const Key* key = find_key(leaf.name);
      if (leaf.name.find('.') == std::string::npos) {
        leaf.name = fmt::format("tune.{}", leaf.name);
        read_setting(leaf);
      } else if (key && !tunable(*key)) {
        add_fault(place, fmt::format("{} cannot be tuned; only keys of [algorithm] but its "
                                     "kind, and of [schedule], can",
                                     leaf.name));
      } else {
        read_axis(leaf, file_.tune);
      }
    }
  }

  static bool tunable(const Key& key) {
    return (key.section() == "algorithm" && key.name != "algorithm.kind") ||
           key.section() == "schedule";
  }

  void read_axis(const Leaf& leaf, SweepGrid& grid) {
    const Place place = place_at(leaf.position);
    const Key* key = known_key(leaf.name, place);
    if (key == nullptr) return;
    const toml::array* values = leaf.node->as_array();
    if (!key->sweepable) {
      add_fault(place,
                fmt::format("{} cannot be swept; give it in [{}]", leaf.name, key->section()));
    } else if (std::ranges::find(grid, key, &SweepAxis::key) != grid.end()) {
      add_fault(place, fmt::format("{} is given twice in one grid", leaf.name));
    } else if (values == nullptr) {
      grid.push_back({.key = key, .values = {check(*key, *leaf.node, place)}});
    } else if (values->empty()) {
      add_fault(place, fmt::format("{} is an empty list; give it a value{}", leaf.name,
                                   key->is_list() ? ", which may be a list too: [[2, 1], 3]" : ""));
      grid.push_back({.key = key, .values = {{.key = key, .value = {}, .place = place}}});
    } else {
      SweepAxis& axis = grid.emplace_back(SweepAxis{.key = key, .values = {}});
      for (const toml::node& value : *values)
        axis.values.push_back(check(*key, value, place_at(value.source().begin)));
    }
  }

  void read_override(const std::string& argument) {
    const Place place{.text = "--set " + argument};
    const auto equals = argument.find('=');
    if (equals == std::string::npos) {
      add_fault(place, "expected key=value, for instance --set run.rounds=100");
      return;
    }
    const Key* key = known_key(trimmed(std::string_view(argument).substr(0, equals)), place);
    if (key == nullptr) return;
    const toml::table table =
        override_value(trimmed(std::string_view(argument).substr(equals + 1)));
    file_.settings.push_back(check(*key, *table.get("value"), place));
    const auto is_of_key = [key](const SweepAxis& axis) { return axis.key == key; };
    for (SweepGrid& grid : file_.grids) std::erase_if(grid, is_of_key);
    if (std::erase_if(file_.tune, is_of_key) > 0) file_.tune_overridden = true;
  }

  ConfigFile file_;
};

}  // namespace

double number_of_points(const SweepGrid& grid) {
  double product = 1.0;
  for (const SweepAxis& axis : grid) product *= static_cast<double>(axis.values.size());
  return product;
}

std::vector<GridPoint> points_of(const SweepGrid& grid) {
  std::vector<GridPoint> points = {{}};
  for (const SweepAxis& axis : grid) {
    std::vector<GridPoint> longer;
    for (const GridPoint& point : points) {
      for (const Setting& value : axis.values) {
        longer.push_back(point);
        longer.back().push_back(&value);
      }
    }
    points = std::move(longer);
  }
  return points;
}

ConfigFile read_config(std::string_view toml_text, std::string source_name,
                       const std::filesystem::path& folder,
                       std::span<const std::string> overrides) {
  return Reader(std::move(source_name), folder).read(toml_text, overrides);
}

}  // namespace driftless
