#pragma once

#include <chrono>

namespace driftless::peers {

// Seconds of a clock that never jumps.
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace driftless::peers
