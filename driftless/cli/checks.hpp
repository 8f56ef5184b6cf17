#pragma once

#include <string>
#include <vector>

#include "driftless/base/option.hpp"
#include "driftless/cli/commands.hpp"

namespace driftless {

// Checks what an option of the command line is given as a key of a config file is checked, with the
// same words; a name that is none is answered with the nearest ones. What may be chosen from shows
// in completions too.
CLI::Validator takes(const Option& described);
CLI::Validator takes_one_of(std::vector<std::string> names);
CLI::Validator takes_integer(double lower, double upper);
CLI::Validator takes_number_from(double lower);

// What an option may be chosen from; empty: anything.
std::vector<std::string> choices_of(CLI::Option& option);

// A number with a unit. It becomes a plain number of bytes, seconds or bytes a second.
CLI::Validator takes_bytes();  // as 175kB; a number alone is bytes
CLI::Validator takes_time();   // as 500us
CLI::Validator takes_rate();   // as 20Mbit, a second

}  // namespace driftless
