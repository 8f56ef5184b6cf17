#include "driftless/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

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

std::vector<std::string_view> nearest_names(std::string_view name,
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

std::string aligned(const std::vector<std::vector<std::string>>& lines, std::size_t left) {
  // Letters, not bytes: the fields hold UTF-8.
  const auto width_of = [](const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
  };
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const auto& line : lines) {
    for (std::size_t k = 0; k < line.size(); ++k)
      widths[k] = std::max(widths[k], width_of(line[k]));
  }
  std::string text;
  for (const auto& line : lines) {
    for (std::size_t k = 0; k < line.size(); ++k) {
      const std::string padding(widths[k] - width_of(line[k]), ' ');
      text += k == 0 ? "" : "  ";
      text += k < left ? line[k] + padding : padding + line[k];
    }
    while (text.ends_with(' ')) text.pop_back();
    text += '\n';
  }
  return text;
}

}  // namespace driftless
