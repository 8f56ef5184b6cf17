#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driftless/experiment/run_position.hpp"

namespace driftless {

// What the header of a checkpoint says, and where the file lies.
struct Checkpoint {
  std::filesystem::path file;
  std::string config;  // as in config.toml
  RunPosition position;
  NodeId nodes = 0;
  Index dim = 0;
  int number_bytes = 8;                // 4: float, 8: double
  std::vector<std::string> rows = {};  // their names, in the order of the file
  std::uint64_t rows_begin = 0;        // the byte of the file where they begin

  // Of all rows together; more than any file holds where the header claims too much.
  std::uint64_t row_bytes() const;
};

// The header as JSON and back. Throws DataError where a field is missing or out of range.
std::string header_of(const Checkpoint& checkpoint);
Checkpoint parse_header(const std::string& text, const std::filesystem::path& file);

}  // namespace driftless
