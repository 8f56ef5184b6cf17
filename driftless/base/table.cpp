#include "driftless/base/table.hpp"

#include <algorithm>

namespace driftless {

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
