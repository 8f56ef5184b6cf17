#pragma once

#include <string>
#include <vector>

#include "driftless/cli/commands.hpp"

namespace driftless {

// What a parsed command line asks for, an option with its value as one word. Left out is what may
// differ from machine to machine: --threads, and the folders that files lie in.
std::vector<std::string> words_of(const CLI::App& app);

// All ranks do this first, as soon as each has read its command line and found nothing or `fault`
// wrong with it. Throws the same ConfigError on all ranks where they cannot work together: another
// build of the program, a command line that is wrong, another command.
void agree_on_command(const Processes& ranks, const CLI::App& app, const std::string& fault);

}  // namespace driftless
