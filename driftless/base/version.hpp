#pragma once

#include <string>

namespace driftless {

std::string version();        // of this library: "0.1.0"
std::string compiler();       // that built it
std::string eigen_version();  // that it was built with

}  // namespace driftless
