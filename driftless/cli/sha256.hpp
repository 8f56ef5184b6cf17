#pragma once

#include <filesystem>
#include <string>

namespace driftless {

// The SHA-256 of a file's bytes in 64 lower-case hexadecimal digits. Throws DataError where the
// file cannot be read.
std::string sha256_of(const std::filesystem::path& file);

}  // namespace driftless
