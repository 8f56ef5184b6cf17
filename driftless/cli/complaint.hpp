#pragma once

#include <string>

#include "driftless/cli/commands.hpp"

namespace driftless {

// What is wrong with a command line that CLI11 refused, what may have been meant, and where to
// look.
std::string complaint(const CLI::App& app, const CLI::ParseError& error);

}  // namespace driftless
