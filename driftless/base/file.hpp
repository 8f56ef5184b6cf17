#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace driftless {

// Leaves either the old file or the whole new one, also through a crash: writes `path`.partial,
// flushes it to the disk and renames it. On failure the partial file is removed and a
// std::system_error names the path and the reason.
void write_file_atomically(const std::filesystem::path& path, std::string_view contents);

// Throws DataError with the path and the reason.
std::string read_file(const std::filesystem::path& path);

}  // namespace driftless
