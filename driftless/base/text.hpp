#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

// Fewest insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The names as views, for the functions below; they must live as long.
std::vector<std::string_view> views_of(std::span<const std::string> names);

// The names of entries that have one, as views or as texts.
template <class Name = std::string_view, class Entries>
std::vector<Name> names_of(const Entries& entries) {
  std::vector<Name> names(std::size(entries));
  std::ranges::transform(entries, names.begin(),
                         [](const auto& entry) { return Name(entry.name); });
  return names;
}

std::string_view trimmed(std::string_view text);  // without blanks around it

// The name without dashes, underscores and blanks, in small letters: K-GT and k_gt are alike.
std::string bare_letters(std::string_view name);

// The candidates that `name` may mean, all that tie: what it spells with other dashes or capitals,
// what it is a synonym of, what is a typo away, what it begins. None when nothing is near enough.
std::vector<std::string_view> nearest_names(std::string_view name,
                                            std::span<const std::string_view> candidates);

// "a", "a or b", "a, b or c".
std::string either_of(std::span<const std::string_view> names);

// "; did you mean a or b?", or nothing when there is nothing to suggest.
std::string did_you_mean(std::span<const std::string_view> names);

// The same of the nearest names; or "; there is no …" for what is known to be missing.
std::string suggestion(std::string_view name, std::span<const std::string_view> candidates);

// The whole text as a number, which may begin with a plus sign; none when it is not one or is out
// of range.
std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<double> parse_number(std::string_view text);

}  // namespace driftless
