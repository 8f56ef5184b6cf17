#pragma once

#include <string>

namespace driftless {

std::string version();        // of this library: "0.1.0"
std::string compiler();       // that built it
std::string eigen_version();  // that it was built with

// Tells one build from another, also of one version: the id that the linker gave the executable
// that runs, as hexadecimal digits. It goes with a copy of the file. "unknown" without one.
std::string build_id();

}  // namespace driftless
