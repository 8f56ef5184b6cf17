#include "driftless/base/layout.hpp"

#include <algorithm>
#include <numeric>

namespace driftless {
namespace {

using Lines = std::vector<std::vector<std::string>>;
using Columns = std::vector<std::size_t>;

constexpr std::size_t gap = 2;  // between two columns

bool begins_letter(char byte) { return (byte & 0xC0) != 0x80; }

std::vector<std::size_t> column_widths(const Lines& lines) {
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const auto& line : lines) {
    for (std::size_t k = 0; k < line.size(); ++k)
      widths[k] = std::max(widths[k], width_of(line[k]));
  }
  return widths;
}

// Whether every column fits beside the first ones.
bool all_fit_beside(const std::vector<std::size_t>& widths, std::size_t first, std::size_t width) {
  const auto others = widths.begin() + static_cast<std::ptrdiff_t>(std::min(first, widths.size()));
  const std::size_t widest = others == widths.end() ? 0 : *std::max_element(others, widths.end());
  return std::reduce(widths.begin(), others) + first * gap + widest <= width;
}

// Blocks of columns that fit the width, each of which begins with the first `repeated` ones.
std::vector<Columns> blocks_of(const std::vector<std::size_t>& widths, std::size_t repeated,
                               std::size_t width) {
  Columns first(std::min(repeated, widths.size()));
  std::iota(first.begin(), first.end(), 0);
  std::vector<Columns> blocks{first};
  const auto taken = [&](const Columns& columns) {
    std::size_t sum = 0;
    for (const std::size_t k : columns) sum += widths[k] + gap;
    return sum;
  };
  for (std::size_t k = first.size(); k < widths.size(); ++k) {
    const bool is_full = taken(blocks.back()) + widths[k] > width;
    if (is_full && blocks.back().size() > first.size()) blocks.push_back(first);
    blocks.back().push_back(k);
  }
  return blocks;
}

std::string text_of(const Lines& lines, const std::vector<std::size_t>& widths, std::size_t left,
                    const std::vector<Columns>& blocks) {
  std::string text;
  for (const Columns& block : blocks) {
    if (!text.empty()) text += '\n';
    for (const auto& line : lines) {
      for (const std::size_t k : block) {
        const std::string padding(widths[k] - width_of(line[k]), ' ');
        text += k == block.front() ? "" : std::string(gap, ' ');
        text += k < left ? line[k] + padding : padding + line[k];
      }
      while (text.ends_with(' ')) text.pop_back();
      text += '\n';
    }
  }
  return text;
}

Lines numbered(Lines lines) {
  for (std::size_t k = 0; k < lines.size(); ++k)
    lines[k].insert(lines[k].begin(), k == 0 ? "#" : std::to_string(k));
  return lines;
}

// Where the text ends after so many letters, in bytes.
std::size_t end_of_letters(std::string_view text, std::size_t letters) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (begins_letter(text[at]) && letters-- == 0) break;
  }
  return at;
}

std::string_view without_blanks_behind(std::string_view text) {
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

// A line that begins at column `margin`, broken between words.
std::string broken(std::string_view line, std::size_t margin, std::size_t indent,
                   std::size_t width) {
  std::string text;
  while (margin + width_of(line) > width) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    std::size_t space = line.rfind(' ', end_of_letters(line, width - margin));
    if (space == std::string_view::npos || space < begin) space = line.find(' ', begin);
    if (space == std::string_view::npos) break;  // a word without end
    text += without_blanks_behind(line.substr(0, space));
    line.remove_prefix(std::min(line.find_first_not_of(' ', space), line.size()));
    if (line.empty()) return text;
    text.append("\n").append(indent, ' ');
    margin = indent;
  }
  return text.append(line);
}

std::string wrapped_line(std::string_view line, std::size_t indent, std::size_t width) {
  constexpr std::size_t readable = 24;
  if (width_of(line) <= width) return std::string(line);
  if (width >= indent + readable) return broken(line, 0, indent, width);
  // There is no room for two columns: the second one goes below the first.
  const std::size_t less = std::min({std::size_t{4}, indent, width / 2});
  const std::size_t begin = end_of_letters(line, indent);
  if (begin == 0 || line[begin - 1] != ' ') return broken(line, 0, less, width);
  std::string text = broken(without_blanks_behind(line.substr(0, begin)), 0, less, width);
  if (!text.empty()) text += '\n';
  text.append(less, ' ');
  return text + broken(line.substr(begin), less, less, width);
}

}  // namespace

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_letter));
}

std::string aligned(const Lines& lines, std::size_t left, std::size_t width) {
  const std::vector<std::size_t> widths = column_widths(lines);
  if (all_fit_beside(widths, left, width))
    return text_of(lines, widths, left, blocks_of(widths, left, width));
  const Lines with_numbers = numbered(lines);
  const std::vector<std::size_t> all_widths = column_widths(with_numbers);
  return text_of(with_numbers, all_widths, left + 1, blocks_of(all_widths, 1, width));
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result += wrapped_line(text.substr(0, end), indent, width);
    if (end == text.size()) break;
    result += '\n';
    text.remove_prefix(end + 1);
  }
  return result;
}

}  // namespace driftless
