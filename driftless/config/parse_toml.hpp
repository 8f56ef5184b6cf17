#pragma once

#include <toml++/toml.h>

#include <string_view>

namespace driftless {

inline constexpr std::size_t longest_config = 4'000'000;  // a list for 100,000 runs has room

// The text as TOML. One that is longer, or nests deeper in brackets or dotted keys, than anyone
// writes is refused before it is parsed: tables are built, walked and freed by recursion. Throws
// ConfigError that begins with `name`, the line and the column.
toml::table parse_toml(std::string_view text, std::string_view name);

}  // namespace driftless
