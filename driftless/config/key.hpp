#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "driftless/config/config.hpp"

namespace driftless {

using Value = std::variant<bool, std::int64_t, double, std::string>;

std::string toml_literal(const Value& value);  // "k-gt" in quotes, 10.0
std::string plain_text(const Value& value);    // k-gt, 10

// One key of a config file, described once: reading, checking, writing, listing and suggesting all
// go by this description.
struct Key {
  enum class Type { boolean, integer, number, text, path };

  std::string name;  // "algorithm.local_steps"
  std::string doc;
  Type type = Type::text;
  bool required = false;
  bool sweepable = true;
  std::vector<std::string_view> choices;  // of a text; empty: any
  std::string_view known_name;            // of a path: what stands for itself, not for a file
  std::optional<double> lower;            // inclusive, unless `above_lower`
  bool above_lower = false;
  std::optional<double> upper;  // inclusive

  // The key means something only where the key `selector` has one of these values; empty: always.
  std::string selector;
  std::vector<std::string_view> selections;
  // What takes the key's place in this config, as the subject of a sentence; empty: nothing.
  std::string_view (*replaced_by)(const ExperimentConfig&) = nullptr;

  // `value` must have passed `fault`.
  std::function<void(ExperimentConfig&, const Value&)> assign;
  // Empty when the field is unset.
  std::function<std::optional<Value>(const ExperimentConfig&)> value_in;

  std::string_view section() const;
  std::string_view short_name() const;  // "local_steps"

  // "an integer, at least 1"
  std::string expectation() const;
  // What is wrong with the value, whatever the other keys say; empty when nothing is.
  std::string fault(const Value& value) const;

  Key& must_be_given();
  Key& not_swept();
  Key& one_of(std::vector<std::string_view> names);
  Key& or_known(std::string_view known);
  Key& at_least(double bound);
  Key& above(double bound);
  Key& at_most(double bound);
  Key& only_for(std::string selector_key, std::vector<std::string_view> selector_values);
  Key& unless(std::string_view (*replacement)(const ExperimentConfig&));
};

// How fields of each type take and give a `Value`.
template <class Field>
Field from_value(const Value& value) {
  if constexpr (std::is_same_v<Field, bool>) {
    return std::get<bool>(value);
  } else if constexpr (std::is_integral_v<Field>) {
    return static_cast<Field>(std::get<std::int64_t>(value));
  } else if constexpr (std::is_same_v<Field, double>) {
    const auto* integer = std::get_if<std::int64_t>(&value);
    return integer ? static_cast<double>(*integer) : std::get<double>(value);
  } else {
    return Field(std::get<std::string>(value));
  }
}

template <class Field>
std::optional<Value> to_value(const Field& field) {
  if constexpr (std::is_same_v<Field, std::filesystem::path>) {
    return field.empty() ? std::nullopt : std::optional<Value>(field.string());
  } else if constexpr (std::is_integral_v<Field> && !std::is_same_v<Field, bool>) {
    return static_cast<std::int64_t>(field);
  } else {
    return field;
  }
}

template <class Field>
std::optional<Value> to_value(const std::optional<Field>& field) {
  return field ? to_value(*field) : std::nullopt;
}

template <class Field>
constexpr Key::Type key_type() {
  if (std::is_same_v<Field, bool>) return Key::Type::boolean;
  if (std::is_integral_v<Field>) return Key::Type::integer;
  if (std::is_same_v<Field, double>) return Key::Type::number;
  if (std::is_same_v<Field, std::filesystem::path>) return Key::Type::path;
  return Key::Type::text;
}

template <class Field>
struct Unwrapped {
  using Type = Field;
};
template <class Field>
struct Unwrapped<std::optional<Field>> {
  using Type = Field;
};

// The key that fills `(config.*section).*field`; its type follows from the field's.
template <class Section, class Field>
Key make_key(std::string name, std::string doc, Section ExperimentConfig::*section,
             Field Section::*field) {
  using Plain = typename Unwrapped<Field>::Type;
  Key key;
  key.name = std::move(name);
  key.doc = std::move(doc);
  key.type = key_type<Plain>();
  if (std::is_same_v<Plain, int>) key.at_most(std::numeric_limits<int>::max());
  key.assign = [=](ExperimentConfig& config, const Value& value) {
    (config.*section).*field = from_value<Plain>(value);
  };
  key.value_in = [=](const ExperimentConfig& config) { return to_value((config.*section).*field); };
  return key;
}

}  // namespace driftless
