#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driftless/algorithm/algorithm.hpp"
#include "driftless/experiment/checkpoint_header.hpp"

namespace driftless {

// A file that a run can go on from: the config, the position, and the rows of the algorithm's
// state, of all nodes, whatever processes held them.
//
//   "driftless checkpoint\n", version (4 bytes), length of the header (4 bytes), header (JSON),
//   the rows one after the other, CRC-32 of all before (4 bytes); numbers are little-endian.

// Collective: the process of node 0 writes the file, atomically. The others' `file` and `config` do
// not count; where that process has none, nothing is written.
template <class Real>
void write_checkpoint(const std::filesystem::path& file, const std::string& config,
                      const RunPosition& position, const std::vector<NamedRows<Real>>& rows,
                      const Network& network);

// Checks all of the file, its sum included. Throws DataError where it is not whole.
Checkpoint read_checkpoint(const std::filesystem::path& file);

// Collective: resumes the algorithm where the checkpoint left it, and the counters of the network.
// Only the process of node 0 reads the file. Throws DataError where the checkpoint is of another
// method or of other sizes.
template <class Real>
void restore(const Checkpoint& checkpoint, Algorithm<Real>& algorithm, Network& network);

}  // namespace driftless
