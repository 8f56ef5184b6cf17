#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driftless/experiment/run.hpp"

namespace driftless {

// A file that a run can go on from: the config, the position, and the rows of the algorithm's
// state, of all nodes, whatever processes held them.
//
//   "driftless checkpoint\n", version (4 bytes), length of the header (4 bytes), header (JSON),
//   the rows one after the other, CRC-32 of all before (4 bytes); numbers are little-endian.

// What its header says, and where it lies.
struct Checkpoint {
  std::filesystem::path file;
  std::string config;  // as in config.toml
  RunPosition position;
  NodeId nodes = 0;
  Index dim = 0;
  int number_bytes = 8;                // 4: float, 8: double
  std::vector<std::string> rows = {};  // their names, in the order of the file
  std::uint64_t rows_begin = 0;        // the byte of the file where they begin
};

// Collective: the process of node 0 writes the file, atomically; the others' `file` and `config`
// do not count.
void write_checkpoint(const std::filesystem::path& file, const std::string& config,
                      const RunState& state);

// Checks all of the file, its sum included. Throws DataError where it is not whole.
Checkpoint read_checkpoint(const std::filesystem::path& file);

// The header as text and back, for the processes that do not have the file.
std::string header_of(const Checkpoint& checkpoint);
Checkpoint parse_header(const std::string& text, const std::filesystem::path& file);

// Collective: puts the rows into the state of a started algorithm, and the counters where they
// were. Only the process of node 0 reads the file. Throws DataError where the checkpoint is of
// another method or of other sizes.
template <class Real>
void restore(const Checkpoint& checkpoint, Algorithm<Real>& algorithm, Network& network);

}  // namespace driftless
