#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace driftless {

// How many bytes a file has, and their CRC-32: enough to see that it was cut off or changed by
// accident, and no seal against those who mean to.
struct FileSum {
  std::uint64_t bytes = 0;
  std::uint32_t crc = 0;

  void add(std::string_view more);
  bool operator==(const FileSum&) const = default;
};

FileSum sum_of(std::string_view contents);
// Throws DataError where the file cannot be read.
FileSum sum_of_file(const std::filesystem::path& path);

// Sums of files by their names.
using FileSums = std::map<std::string, FileSum>;

// {"metrics.csv": {"bytes": 812, "crc32": "0a1b2c3d"}}
nlohmann::ordered_json to_json_object(const FileSums& sums);
// None where it is not such an object.
std::optional<FileSums> file_sums_in(const nlohmann::json& json);

}  // namespace driftless
