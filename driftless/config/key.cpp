#include "driftless/config/key.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "driftless/algorithm/registry.hpp"
#include "driftless/base/named.hpp"
#include "driftless/base/synonyms.hpp"
#include "driftless/problem/registry.hpp"

namespace driftless {
namespace {

using Names = std::vector<std::string_view>;

Key make_key(const Option& option, std::string_view section) {
  const auto full = [&](const std::string& name) {
    return name.find('.') == std::string::npos ? fmt::format("{}.{}", section, name) : name;
  };
  Key key;
  static_cast<Option&>(key) = option;
  key.name = full(option.name);
  if (option.replacement) key.replacement->option = full(option.replacement->option);
  for (Key::Condition& condition : key.conditions) condition.selector = full(condition.selector);
  return key;
}

template <class Section>
void add_section(std::string_view name, Section ExperimentConfig::*section, std::deque<Key>& keys) {
  OptionsOf<Section> described;  // anew: the kinds that it names may have grown in number
  Section::describe(described);
  const auto options = std::make_shared<const OptionsOf<Section>>(std::move(described));
  for (std::size_t k = 0; k < options->list().size(); ++k) {
    Key& key = keys.emplace_back(make_key(options->list()[k], name));
    key.assign = [=](ExperimentConfig& config, const Value& value) {
      options->assign(k, config.*section, value);
    };
    key.value_in = [=](const ExperimentConfig& config) {
      return options->value_in(k, config.*section);
    };
  }
}

// The options of the config's own kind; null where the config names no known kind.
const std::vector<Option>* options_of_kind(const ProblemConfig& problem) {
  const ProblemKind* kind = find_problem_kind(problem.kind);
  return kind != nullptr ? &kind->options : nullptr;
}
const std::vector<Option>* options_of_kind(const AlgorithmConfig& algorithm) {
  const AlgorithmKind* kind = find_algorithm_kind(algorithm.kind);
  return kind != nullptr ? &kind->own : nullptr;
}

// What an option of a kind is in a config: as set, else as the config's own kind has it.
template <class Section>
std::optional<Value> value_of(const Option& option, const Section& section) {
  if (const auto set = section.options.find(option.name); set != section.options.end()) {
    return set->second;
  }
  if (option.required) return std::nullopt;
  if (const std::vector<Option>* own = options_of_kind(section)) {
    if (const Option* found = find_or_null(*own, option.name)) return found->fallback;
  }
  return option.fallback;
}

template <class Section>
Key& add_option(std::string_view name, Section ExperimentConfig::*section, const Option& option,
                std::deque<Key>& keys) {
  Key& key = keys.emplace_back(make_key(option, name));
  key.assign = [=](ExperimentConfig& config, const Value& value) {
    (config.*section).options[option.name] = option.canonical(value);
  };
  key.value_in = [=](const ExperimentConfig& config) { return value_of(option, config.*section); };
  return key;
}

std::vector<Option> all_options(const ProblemKind& kind) { return kind.options; }
std::vector<Option> all_options(const AlgorithmKind& kind) { return kind.all_options(); }

// The section's own keys, and one for each option that some kind has. That one means something
// where such a kind is chosen.
template <class Section, class Kinds>
void add_section_of_kinds(std::string_view name, Section ExperimentConfig::*section,
                          const Kinds& kinds, std::deque<Key>& keys) {
  add_section(name, section, keys);
  const std::string selector = fmt::format("{}.kind", name);
  for (const auto& kind : kinds) {
    for (const Option& option : all_options(kind)) {
      const std::string full = fmt::format("{}.{}", name, option.name);
      const auto found = std::ranges::find(keys, full, &Key::name);
      const bool is_new = found == keys.end();
      Key& key = is_new ? add_option(name, section, option, keys) : *found;
      if (is_new) key.conditions.insert(key.conditions.begin(), {selector, {}});
      key.conditions.front().values.push_back(kind.name);
    }
  }
  for (Key& key : keys) {
    std::erase_if(key.conditions, [&](const Key::Condition& condition) {
      return condition.selector == selector && condition.values.size() == kinds.size();
    });
  }
}

std::deque<Key> all_keys() {
  std::deque<Key> keys;
  add_section_of_kinds("problem", &ExperimentConfig::problem, problem_kinds(), keys);
  add_section("network", &ExperimentConfig::network, keys);
  add_section("faults", &ExperimentConfig::faults, keys);
  add_section("compression", &ExperimentConfig::compression, keys);
  add_section_of_kinds("algorithm", &ExperimentConfig::algorithm, algorithm_kinds(), keys);
  add_section("schedule", &ExperimentConfig::schedule, keys);
  add_section("run", &ExperimentConfig::run, keys);
  add_section("checkpoint", &ExperimentConfig::checkpoint, keys);
  add_section("tune", &ExperimentConfig::tune, keys);
  return keys;
}

// A plan of many runs asks for keys by their names many times, and so does a file of many keys that
// there are not.
struct KnownKeys {
  std::deque<Key> all = all_keys();
  std::unordered_map<std::string_view, const Key*> by_name;
  Names names;
  Names short_names;

  KnownKeys() {
    for (const Key& key : all) {
      by_name.emplace(key.name, &key);
      names.push_back(key.name);
      short_names.push_back(key.short_name());
    }
  }
  KnownKeys(const KnownKeys&) = delete;
  KnownKeys& operator=(const KnownKeys&) = delete;
};

const KnownKeys& known_keys() {
  static std::mutex mutex;
  static std::deque<KnownKeys> versions;  // the old ones stay, for who holds their keys
  static std::pair<std::size_t, std::size_t> kinds;
  const std::lock_guard lock(mutex);
  const auto now = std::pair(problem_kinds().size(), algorithm_registrations());
  if (versions.empty() || kinds != now) versions.emplace_back();
  kinds = now;
  return versions.back();
}

// The keys, in any section, whose last component is most like `short_name`.
Names keys_called_like(std::string_view short_name) {
  const Names nearest = nearest_names(short_name, known_keys().short_names);
  Names names;
  if (nearest.empty()) return names;
  for (const Key& key : config_keys())
    if (std::ranges::find(nearest, key.short_name()) != nearest.end()) names.push_back(key.name);
  return names;
}

std::string why_replaced(const Key& key, const ExperimentConfig& config) {
  if (!key.replacement) return "";
  const auto& [option, when, subject] = *key.replacement;
  const std::optional<Value> other = find_key(option)->value_in(config);
  if (!other || (when != nullptr && !when(*other))) return "";
  return fmt::format("{} takes its place; remove one", subject.empty() ? option : subject);
}

}  // namespace

const std::deque<Key>& config_keys() { return known_keys().all; }

const std::vector<std::string_view>& config_sections() {
  static const std::vector<std::string_view> sections = {"problem",     "network",    "faults",
                                                         "compression", "algorithm",  "schedule",
                                                         "run",         "checkpoint", "tune"};
  return sections;
}

const Key* find_key(std::string_view name) {
  const KnownKeys& keys = known_keys();
  const auto found = keys.by_name.find(name);
  return found == keys.by_name.end() ? nullptr : found->second;
}

std::string why_inapplicable(const Key& key, const ExperimentConfig& config) {
  if (std::string replaced = why_replaced(key, config); !replaced.empty()) return replaced;
  for (const auto& [selector, values] : key.conditions) {
    const std::optional<Value> value = find_key(selector)->value_in(config);
    const std::string selected = value ? plain_text(*value) : "";
    if (value && std::ranges::find(values, selected) != values.end()) continue;
    const std::string allowed = either_of(views_of(values));
    if (!value) return fmt::format("needs {} = {}", selector, allowed);
    return fmt::format("not a key of {} = \"{}\"; it belongs to {}", selector, selected, allowed);
  }
  return "";
}

std::vector<std::string_view> keys_called(std::string_view name) {
  const Names& all = known_keys().names;
  const std::string_view last = name.substr(name.rfind('.') + 1);
  Names meant = names_meant_by(name, all);
  if (meant.empty()) {
    for (const Key& key : config_keys())
      if (key.short_name() == last) meant.push_back(key.name);
  }
  if (meant.empty()) meant = names_meant_by(last, all);
  return meant;
}

std::string unknown_key(std::string_view name) {
  const std::string unknown = fmt::format("unknown key {}", name);
  const std::string_view last = name.substr(name.rfind('.') + 1);
  if (const Names meant = keys_called(name); !meant.empty()) {
    const bool elsewhere = find_key(meant.front())->short_name() == last;  // in another section
    return elsewhere ? unknown + did_you_mean(meant)
                     : fmt::format("{}; it is called {} here", unknown, either_of(meant));
  }
  if (const auto why = why_there_is_none(last); !why.empty())
    return fmt::format("{}; {}", unknown, why);
  Names nearest = nearest_names(name, known_keys().names);
  if (nearest.empty()) nearest = keys_called_like(last);
  if (nearest.empty() && last == name) nearest = nearest_names(name, config_sections());
  if (!nearest.empty()) return unknown + did_you_mean(nearest);
  Names siblings;
  for (const Key& key : config_keys())
    if (key.section() == name.substr(0, name.find('.'))) siblings.push_back(key.short_name());
  if (siblings.empty())
    return fmt::format("{}; sections are {} and sweep", unknown,
                       fmt::join(config_sections(), ", "));
  return fmt::format("{}; the keys of its section are {}", unknown, fmt::join(siblings, ", "));
}

std::string unknown_section(std::string_view name) {
  Names sections = config_sections();
  sections.push_back("sweep");
  const Names nearest = nearest_names(name, sections);
  if (!nearest.empty()) return fmt::format("unknown section [{}]{}", name, did_you_mean(nearest));
  return fmt::format("unknown section [{}]; sections are {}", name, fmt::join(sections, ", "));
}

void fill_in_defaults(ExperimentConfig& config) {
  const auto fill = [](Settings& settings, const std::vector<Option>& options) {
    for (const Option& option : options)
      if (option.fallback && !option.required) settings.emplace(option.name, *option.fallback);
  };
  if (const auto* options = options_of_kind(config.problem)) fill(config.problem.options, *options);
  fill(config.algorithm.options, options_of<AlgorithmOptions>().list());
  if (const auto* own = options_of_kind(config.algorithm)) fill(config.algorithm.options, *own);
}

std::string to_toml(const ExperimentConfig& config) {
  std::string text;
  std::string_view section;
  for (const Key& key : config_keys()) {
    const std::optional<Value> value = key.value_in(config);
    if (!value || !why_inapplicable(key, config).empty()) continue;
    if (key.section() == "faults" && !config.faults.any()) continue;
    if (key.section() == "compression" && config.compression.codec == "none") continue;
    if (key.section() != section) {
      section = key.section();
      text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", section);
    }
    const std::string line = fmt::format("{} = {}", key.short_name(), toml_literal(*value));
    text += fmt::format("{:<34} # {}\n", line, key.doc);
  }
  return text;
}

}  // namespace driftless
