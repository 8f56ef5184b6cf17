#pragma once

#include <filesystem>
#include <string_view>

#include "driftless/data/read_options.hpp"

namespace driftless {

enum class DataFormat { idx, npy, npz, csv, libsvm };

inline constexpr std::string_view known_formats =
    "a folder of IDX files, or a file as CSV, LIBSVM, .npy or .npz";

// As messages call it: "CSV".
std::string_view name_of(DataFormat format);

// The format of a file by what it holds, not by its name; gzip is looked through. A folder is taken
// for one of IDX files. Throws DataError where it is none of these.
DataFormat format_of(const std::filesystem::path& path);

// Throws DataError where the options ask for what files of this format do not have.
void check_options(const std::filesystem::path& path, DataFormat format,
                   const ReadOptions& options);

}  // namespace driftless
