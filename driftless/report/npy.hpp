#pragma once

#include <filesystem>
#include <span>

#include "driftless/base/types.hpp"

namespace driftless {

// Writes a NumPy array file (version 1.0) of little-endian doubles with the given shape, row by
// row.
void write_npy(const std::filesystem::path& path, std::span<const double> values,
               std::span<const Index> shape);

}  // namespace driftless
