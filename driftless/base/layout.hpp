#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

// Texts laid out for a reader. Widths count letters, not bytes: the texts are UTF-8.
std::size_t width_of(std::string_view text);

constexpr std::size_t any_width = std::numeric_limits<std::size_t>::max();

// Lines of fields as text: columns as wide as their widest field, the first `left` of them aligned
// to the left and the others to the right. What is wider than `width` comes in blocks of columns,
// one below the other. The first `left` columns name the line and are repeated in each block; where
// they leave no room for the others, numbers of the lines are repeated instead.
std::string aligned(const std::vector<std::vector<std::string>>& lines, std::size_t left,
                    std::size_t width = any_width);

// Each line of the text broken between words where it is wider than `width`. What follows a break
// begins at column `indent`; where that leaves few columns, all that stands there goes below what
// stands before it.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

}  // namespace driftless
