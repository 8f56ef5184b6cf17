#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace driftless {

// Bad input. The message names the file, the line or key, what was found and what was expected; the
// program prints it and exits with code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  // The message is that of fmt::format.
  template <class... Args>
  requires(sizeof...(Args) > 0) explicit InputError(fmt::format_string<Args...> format,
                                                    Args&&... args)
      : std::runtime_error(fmt::format(format, std::forward<Args>(args)...)) {}
};

// A request that makes no sense: an unknown key, an impossible value, options that exclude each
// other.
class ConfigError : public InputError {
 public:
  using InputError::InputError;
};

// A file whose contents are not what they claim to be.
class DataError : public InputError {
 public:
  using InputError::InputError;
};

// What is wrong with the input that the work needs; empty when nothing is.
template <class Work>
std::string fault_in(const Work& work) {
  try {
    work();
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace driftless
