#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driftless/cli/commands.hpp"

namespace driftless {

// `driftless complete WORD…` is for shells: what could stand in place of the last word, after the
// words before it. The scripts in cli/completion ask it, so they need not know any command, and
// never go stale.
constexpr std::string_view completion_command = "complete";

// A line for each word that could stand there, with what it means after a tab where that is known.
// The lines ":files" and ":folders" stand for those of the user.
std::string completions(CLI::App& app, const std::vector<std::string>& words);

}  // namespace driftless
