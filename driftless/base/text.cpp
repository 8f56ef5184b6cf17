#include "driftless/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

#include "driftless/base/synonyms.hpp"

namespace driftless {
namespace {

template <class Number>
std::optional<Number> parse(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  Number value{};
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

// The letters of a name, in any order: a glance that tells most names apart.
class Letters {
 public:
  explicit Letters(std::string_view name) : size_(name.size()) {
    for (const char letter : name) ++count(letter);
  }
  // How many letters one of the two names has and the other has not: at most the edits between
  // them.
  std::size_t apart_from(std::string_view other) {
    std::size_t shared = 0;
    for (const char letter : other) shared += count(letter)-- > 0 ? 1 : 0;
    for (const char letter : other) ++count(letter);
    return std::max(size_, other.size()) - shared;
  }

 private:
  int& count(char letter) { return counts_[static_cast<unsigned char>(letter)]; }

  std::size_t size_;
  std::array<int, 256> counts_{};
};

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Row i holds the distances from the first i characters of a to every prefix of b; a swap of
  // neighbours looks two rows back.
  std::vector<std::size_t> before_previous(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, substitution});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) current[j] = std::min(current[j], before_previous[j - 2] + 1);
    }
    std::swap(before_previous, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

std::vector<std::string_view> views_of(std::span<const std::string> names) {
  return {names.begin(), names.end()};
}

namespace {

// The names most like `name` by the edits between them.
std::vector<std::string_view> names_a_typo_away(std::string_view name,
                                                std::span<const std::string_view> candidates) {
  // A third of the letters wrong is still a typo; more is another word.
  std::size_t best = std::max<std::size_t>(1, name.size() / 3);
  Letters letters(name);
  std::vector<std::string_view> nearest;
  for (const std::string_view candidate : candidates) {
    if (letters.apart_from(candidate) > best) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance > best) continue;
    if (distance < best) nearest.clear();
    best = distance;
    nearest.push_back(candidate);
  }
  return nearest;
}

std::vector<std::string_view> those_of(std::span<const std::string_view> candidates,
                                       const auto& condition) {
  std::vector<std::string_view> found;
  std::ranges::copy_if(candidates, std::back_inserter(found), condition);
  return found;
}

bool is_bare(char c) { return c != '-' && c != '_' && c != ' '; }
char small(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

// Whether these are the bare letters of the name, without a copy of it.
bool has_bare_letters(std::string_view name, std::string_view letters) {
  for (const char c : name) {
    if (!is_bare(c)) continue;
    if (letters.empty() || letters.front() != small(c)) return false;
    letters.remove_prefix(1);
  }
  return letters.empty();
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string bare_letters(std::string_view name) {
  std::string letters;
  for (const char c : name)
    if (is_bare(c)) letters += small(c);
  return letters;
}

std::vector<std::string_view> nearest_names(std::string_view name,
                                            std::span<const std::string_view> candidates) {
  constexpr std::size_t fewest = 2;  // letters that begin a name
  const std::string letters = bare_letters(name);
  std::vector<std::string_view> found = those_of(candidates, [&](std::string_view candidate) {
    return !letters.empty() && has_bare_letters(candidate, letters);
  });
  if (found.empty()) found = names_meant_by(name, candidates);
  if (found.empty()) found = names_a_typo_away(name, candidates);
  if (found.empty() && name.size() >= fewest) {
    found = those_of(candidates,
                     [&](std::string_view candidate) { return candidate.starts_with(name); });
  }
  return found;
}

std::string suggestion(std::string_view name, std::span<const std::string_view> candidates) {
  if (const std::string_view why = why_there_is_none(name); !why.empty())
    return fmt::format("; {}", why);
  return did_you_mean(nearest_names(name, candidates));
}

std::string either_of(std::span<const std::string_view> names) {
  if (names.empty()) return "";
  if (names.size() == 1) return std::string(names.front());
  return fmt::format("{} or {}", fmt::join(names.first(names.size() - 1), ", "), names.back());
}

std::string did_you_mean(std::span<const std::string_view> names) {
  return names.empty() ? "" : fmt::format("; did you mean {}?", either_of(names));
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  return parse<std::int64_t>(text);
}

std::optional<double> parse_number(std::string_view text) { return parse<double>(text); }

}  // namespace driftless
