#pragma once

#include <span>
#include <string>

#include "driftless/base/file_sum.hpp"
#include "driftless/base/folder.hpp"
#include "driftless/base/types.hpp"

namespace driftless {

// Writes a NumPy array file (version 1.0) of little-endian floats or doubles with the given
// shape, row by row. Gives the sum of what it wrote.
template <class Real>
FileSum write_npy(const Folder& folder, const std::string& name, std::span<const Real> values,
                  std::span<const Index> shape);

}  // namespace driftless
