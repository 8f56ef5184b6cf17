#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driftless/base/function_ref.hpp"

namespace driftless {

enum class ChildEnd { succeeded, failed, missing, stopped };

// Runs a program found by PATH, without a shell, in the given folder; what it prints goes to the
// file `log`. `go_on` is asked some ten times a second: when it says no, the child and what it
// started are ended and waited for.
ChildEnd run_child(const std::vector<std::string>& command, const std::filesystem::path& folder,
                   const std::filesystem::path& log, FunctionRef<bool()> go_on);

}  // namespace driftless
