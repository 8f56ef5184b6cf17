#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

// A file within the bytes of a zip archive.
struct ZipEntry {
  std::string name;
  std::string_view packed;  // its bytes in the archive
  std::uint64_t size = 0;   // once unpacked
  std::uint32_t sum = 0;    // CRC-32 of the unpacked bytes
  bool deflated = false;    // else it is stored as it is
};

// The files of an archive, which lives as long as they. Entries must lie within the archive and
// apart from each other, so that a small archive cannot stand for many large files. Throws
// DataError that begins with `name`.
std::vector<ZipEntry> zip_entries(std::string_view archive, const std::string& name);

// The bytes of an entry, which are checked against its size and its sum.
std::string unzip(const ZipEntry& entry, const std::string& name);

}  // namespace driftless
