#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/base/text.hpp"

namespace driftless {

// A value of an enumeration, as users and files call it.
template <class Enum>
struct Named {
  Enum value;
  std::string_view name;
  std::string_view description = {};
};

// All values of an enumeration: an array of `Named`, which stands beside the enumeration.
template <class Enum>
inline constexpr auto values_of = nullptr;

template <class Enum>
std::string_view name_of(Enum value) {
  return std::ranges::find(values_of<Enum>, value, &Named<Enum>::value)->name;
}

// The entry that has the name; null where none has it.
template <class Table>
const auto* find_or_null(const Table& table, std::string_view name) {
  const auto found = std::ranges::find_if(table, [&](auto& entry) { return entry.name == name; });
  return found == std::end(table) ? nullptr : &*found;
}

// The entry that has the name. Throws ConfigError for a name that none has: "unknown split …".
template <class Table>
const auto& find_named(const Table& table, std::string_view kind, std::string_view name) {
  if (const auto* found = find_or_null(table, name)) return *found;
  const std::vector<std::string_view> names = names_of(table);
  throw ConfigError("unknown {} \"{}\": expected one of {}{}", kind, name, fmt::join(names, ", "),
                    suggestion(name, names));
}

template <class Enum>
Enum from_name(std::string_view kind, std::string_view name) {
  return find_named(values_of<Enum>, kind, name).value;
}

}  // namespace driftless
