#pragma once

#include <optional>
#include <string>

#include "driftless/config/key.hpp"
#include "driftless/config/parse_toml.hpp"

namespace driftless {

// What the file gives to the key, unchecked: a single value, or a list where the key takes lists.
// None where it is neither.
std::optional<Value> value_for(const Key& key, const toml::node& node);

// What is wrong with a node that is no value for the key, in a sentence that begins with the key.
std::string fault_of_node(const Key& key, const toml::node& node);

}  // namespace driftless
