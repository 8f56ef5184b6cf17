#include "driftless/cli/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace driftless {

std::optional<std::size_t> terminal_width(int stream) {
  winsize size{};
  if (ioctl(stream, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

std::size_t output_width() { return terminal_width(STDOUT_FILENO).value_or(any_width); }

void print_wrapped(std::string_view text, std::size_t indent) {
  fmt::print("{}", wrapped(text, indent, output_width()));
}

}  // namespace driftless
