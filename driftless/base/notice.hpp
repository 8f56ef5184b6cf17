#pragma once

#include <functional>
#include <string_view>

namespace driftless {

// Tells whoever waits what the program is at. It may be empty.
using Notice = std::function<void(std::string_view work)>;

inline void tell(const Notice& notice, std::string_view work) {
  if (notice) notice(work);
}

}  // namespace driftless
