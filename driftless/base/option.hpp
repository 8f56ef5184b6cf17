#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "driftless/base/function_ref.hpp"

namespace driftless {

using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                           std::vector<std::string>>;

std::string toml_literal(const Value& value);  // "k-gt" in quotes, 10.0, [300, 100]
std::string plain_text(const Value& value);    // k-gt, 10, 300 100

// A text or a list of texts, each of them changed; another value as it is.
Value with_each_text(Value value, FunctionRef<std::string(const std::string&)> change);

// What a user has set, by the names of the options. What is not in it has its default.
using Settings = std::map<std::string, Value, std::less<>>;

// One thing that a user can set, described once: reading, checking, writing, listing, documenting
// and suggesting all go by this description.
struct Option {
  // Those of several take one too: a list of one and its only element are the same value.
  enum class Type { boolean, integer, number, text, path, integers, texts, paths };

  std::string name;
  std::string doc;
  Type type = Type::text;
  std::optional<Value> fallback;  // what it is where it is not set; empty: nothing
  bool required = false;
  bool sweepable = true;
  std::vector<std::string> choices;  // of a text; empty: any
  std::string known_name;            // of a path: what stands for itself, not for a file
  bool maybe_empty = false;          // of a list
  std::optional<double> lower;       // inclusive, unless `above_lower`
  bool above_lower = false;
  std::optional<double> upper;  // inclusive

  // The option `selector`, one of the same section or a full name ("problem.kind"), has one of
  // these values.
  struct Condition {
    std::string selector;
    std::vector<std::string> values;

    bool operator==(const Condition&) const = default;
  };
  std::vector<Condition> conditions;  // the option means something only where all of them hold

  // Where that option of the same section is set, to such a value, it takes this one's place.
  struct Replacement {
    std::string option;
    bool (*when)(const Value&) = nullptr;  // null: to any value
    std::string subject = {};              // of the sentence that says so; empty: its full name

    bool operator==(const Replacement&) const = default;
  };
  std::optional<Replacement> replacement;

  bool is_list() const { return element_type() != type; }
  bool names_files() const { return element_type() == Type::path; }
  // The option that takes a single element of this one's lists.
  Option element() const;

  // "an integer of at least 1"
  std::string expectation() const;
  // What is wrong with the value, whatever the other options say; empty when nothing is.
  std::string fault(const Value& value) const;
  // The one way to write the value, so that equal configs are equal: a number is never an integer,
  // a list of one is its element, and a text of integers, as version 0.1 wrote lists ("300 100"),
  // is the list.
  Value canonical(Value value) const;
  bool operator==(const Option&) const = default;

  Option& must_be_given() { return set(required, true); }
  Option& not_swept() { return set(sweepable, false); }
  Option& one_of(std::vector<std::string> names) { return set(choices, std::move(names)); }
  Option& or_known(std::string known) { return set(known_name, std::move(known)); }
  Option& or_empty() { return set(maybe_empty, true); }
  Option& at_least(double bound) { return set(lower, bound); }
  Option& above(double bound) { return at_least(bound).set(above_lower, true); }
  Option& at_most(double bound) { return set(upper, bound); }
  Option& only_for(std::string selector_name, std::vector<std::string> selector_values) {
    conditions.push_back({std::move(selector_name), std::move(selector_values)});
    return *this;
  }
  Option& unless_given(Replacement other) { return set(replacement, std::move(other)); }

 private:
  Type element_type() const;
  std::string how_to_give_several() const;
  std::string fault_of_one(const Value& value) const;
  template <class Held>
  std::string fault_of_list(const std::vector<Held>& list) const;
  template <class Field, class Given>
  Option& set(Field& field, Given given) {
    field = std::move(given);
    return *this;
  }
};

namespace detail {
template <class Field>
inline constexpr bool is_list = false;
template <class Element>
inline constexpr bool is_list<std::vector<Element>> = true;

// What a `Value` keeps of an element of a list.
template <class Element>
auto held(const Element& element) {
  if constexpr (std::is_integral_v<Element>) {
    return static_cast<std::int64_t>(element);
  } else if constexpr (std::is_same_v<Element, std::filesystem::path>) {
    return element.string();
  } else {
    return element;
  }
}
}  // namespace detail

// How fields of each type take a canonical `Value`, and give one.
template <class Field>
Field from_value(const Value& value) {
  if constexpr (detail::is_list<Field>) {
    using Element = typename Field::value_type;
    using Held = decltype(detail::held(std::declval<Element>()));
    if (std::holds_alternative<Held>(value)) return {from_value<Element>(value)};
    const auto& list = std::get<std::vector<Held>>(value);
    return Field(list.begin(), list.end());
  } else if constexpr (std::is_same_v<Field, bool>) {
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
  if constexpr (detail::is_list<Field>) {
    using Held = decltype(detail::held(field.front()));
    if (field.empty()) return std::nullopt;  // as an empty path is none
    std::vector<Held> list;
    list.reserve(field.size());
    for (const auto& element : field) list.push_back(detail::held(element));
    return list.size() == 1 ? Value(list.front()) : Value(list);
  } else if constexpr (std::is_same_v<Field, std::filesystem::path>) {
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
constexpr Option::Type option_type() {
  if constexpr (detail::is_list<Field>) {
    constexpr Option::Type element = option_type<typename Field::value_type>();
    if (element == Option::Type::integer) return Option::Type::integers;
    return element == Option::Type::path ? Option::Type::paths : Option::Type::texts;
  }
  if (std::is_same_v<Field, bool>) return Option::Type::boolean;
  if (std::is_integral_v<Field>) return Option::Type::integer;
  if (std::is_same_v<Field, double>) return Option::Type::number;
  if (std::is_same_v<Field, std::filesystem::path>) return Option::Type::path;
  return Option::Type::text;
}

namespace detail {
template <class Field>
Field unwrapped(const Field&);
template <class Field>
Field unwrapped(const std::optional<Field>&);
}  // namespace detail

// Each throws ConfigError: for a name that no option has; for a value that the option does not
// take; for options of two kinds that share a name but are described differently, so that they
// cannot be one key of a config file.
[[noreturn]] void throw_unknown_option(std::string_view name, const std::vector<Option>& known);
void throw_if_faulty(const Option& option, const Value& value);
void check_described_alike(std::string_view kind, const std::vector<Option>& options,
                           std::string_view other_kind, const std::vector<Option>& others);

// The options that fill the fields of a struct; their types and defaults are those of the fields.
// The struct describes them itself:
//
//   struct GossipOptions {
//     Round global_every = 10;
//     static void describe(OptionsOf<GossipOptions>& options) {
//       options.add("global_every", &GossipOptions::global_every, "rounds between …").at_least(1);
//     }
//   };
template <class Struct>
class OptionsOf {
 public:
  // The reference holds until the next option is added.
  template <class Owner, class Field>
  Option& add(std::string name, Field Owner::*field, std::string doc) {
    using Plain = decltype(detail::unwrapped(std::declval<Field>()));
    bindings_.push_back(
        {.assign = [=](Struct& to, const Value& value) { to.*field = from_value<Plain>(value); },
         .value_in = [=](const Struct& from) { return to_value(from.*field); }});
    Option& option = list_.emplace_back();
    option.name = std::move(name);
    option.doc = std::move(doc);
    option.type = option_type<Plain>();
    option.fallback = to_value(Struct{}.*field);
    if (std::is_same_v<Plain, int> || std::is_same_v<Plain, std::vector<int>>)
      option.at_most(std::numeric_limits<int>::max());
    return option;
  }

  void sweep_none() {
    for (Option& option : list_) option.not_swept();
  }

  const std::vector<Option>& list() const { return list_; }
  void assign(std::size_t option, Struct& to, const Value& value) const {
    bindings_[option].assign(to, list_[option].canonical(value));
  }
  std::optional<Value> value_in(std::size_t option, const Struct& from) const {
    return bindings_[option].value_in(from);
  }

  // Throws ConfigError for a name that is none of the options, and for a value out of bounds.
  Struct read(const Settings& settings) const {
    Struct result;
    for (const auto& [name, value] : settings) {
      std::size_t k = 0;
      while (k < list_.size() && list_[k].name != name) ++k;
      if (k == list_.size()) throw_unknown_option(name, list_);
      throw_if_faulty(list_[k], value);
      assign(k, result, value);
    }
    return result;
  }

 private:
  struct Binding {
    std::function<void(Struct&, const Value&)> assign;
    std::function<std::optional<Value>(const Struct&)> value_in;
  };
  std::vector<Option> list_;
  std::vector<Binding> bindings_;
};

template <class Struct>
const OptionsOf<Struct>& options_of() {
  static const OptionsOf<Struct> all = [] {
    OptionsOf<Struct> options;
    Struct::describe(options);
    return options;
  }();
  return all;
}

}  // namespace driftless
