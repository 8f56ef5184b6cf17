#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "driftless/base/layout.hpp"

namespace driftless {

// The columns of the terminal that a stream goes to; none where it is no terminal, or does not say.
std::optional<std::size_t> terminal_width(int stream);

// Of standard output; any where it is no terminal.
std::size_t output_width();

// Lines on standard output, broken between words where they are wider than the terminal.
void print_wrapped(std::string_view text, std::size_t indent = 0);

}  // namespace driftless
