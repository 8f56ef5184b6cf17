#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace driftless {

// What other programs and papers call something that has another name here. Synonyms serve
// suggestions alone; no input takes them.
struct Synonyms {
  std::string_view name;   // here: a key, a section, a value, a column, a word of the command line
  std::string_view words;  // of others, between blanks; how they are spelt with dashes is all one
};
std::span<const Synonyms> all_synonyms();

// The candidates that are called `word` elsewhere. A word may mean several things; what could stand
// in its place tells which.
std::vector<std::string_view> names_meant_by(std::string_view word,
                                             std::span<const std::string_view> candidates);

// Why there is nothing of that name: "there is no momentum yet; …". Empty where nothing is known of
// the word.
std::string_view why_there_is_none(std::string_view word);

}  // namespace driftless
