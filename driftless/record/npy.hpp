#pragma once

#include <filesystem>
#include <span>

#include "driftless/base/types.hpp"

namespace driftless {

// Writes a NumPy array file (version 1.0) of little-endian floats or doubles with the given
// shape, row by row.
template <class Real>
void write_npy(const std::filesystem::path& path, std::span<const Real> values,
               std::span<const Index> shape);

}  // namespace driftless
