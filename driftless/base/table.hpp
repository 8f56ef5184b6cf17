#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace driftless {

// Lines of fields as text: columns as wide as their widest field, the first `left` of them aligned
// to the left and the others to the right.
std::string aligned(const std::vector<std::vector<std::string>>& lines, std::size_t left);

}  // namespace driftless
