#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "driftless/report/figure_choice.hpp"

namespace driftless {

// What figures and tables call things: as --label says, or as papers write a method, or else by
// their names, keys by the last word.
std::string title_of_key(const std::string& key, const Pairs& labels);
std::string title_of_value(const std::string& key, const std::string& value, const Pairs& labels);

// The titles of values that are not their names, by their keys; those of all methods, in the order
// in which each has its own colour.
nlohmann::ordered_json titles_json(const Comparison& comparison, const Pairs& labels);

}  // namespace driftless
