#pragma once

#include <filesystem>

#include "driftless/graph/mixing_matrix.hpp"

namespace driftless {

// Reads W from a Matrix Market file: coordinate or array, real or integer, general or symmetric.
// Throws DataError with the file and the line, or with the rows that break W's conditions.
MixingMatrix read_mixing_matrix(const std::filesystem::path& path);

// Writes coordinate real symmetric, with digits that read back to the same bits.
void write_matrix_market(const std::filesystem::path& path, const MixingMatrix& mixing);

}  // namespace driftless
