#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "driftless/algorithm/algorithm.hpp"
#include "driftless/base/error.hpp"
#include "driftless/base/file_sum.hpp"
#include "driftless/base/folder.hpp"

namespace driftless {

// Where a run stands between two rounds. With the algorithm's state it is all that the rest of the
// run depends on.
struct RunPosition {
  Round round = 0;  // rounds done
  std::int64_t gradients = 0;
  double seconds = 0;          // spent in them
  double first_loss = 0;       // at the start, which divergence is measured by
  std::string diagnosis = {};  // of a divergence that was not to end the run
  TrafficCounts traffic = {};  // sent so far
  FaultCounts faults = {};     // what went wrong so far
};

// What a run is, so that nothing else is taken for its continuation.
struct RunIdentity {
  std::string config;    // as in config.toml
  FileSums inputs = {};  // the files that the config names
};

// What the header of a checkpoint says, and where the file lies.
struct Checkpoint {
  std::filesystem::path file;
  RunIdentity identity;
  std::optional<std::string> version = {};  // of the program; none: one that did not tell
  std::optional<FileSum> rows_before = {};  // of metrics.csv, as RowsSum; none: not told
  RunPosition position;
  NodeId nodes = 0;
  Index dim = 0;
  int number_bytes = 8;                // 4: float, 8: double
  std::vector<std::string> rows = {};  // their names, in the order of the file
  Index network_dim = 0;               // numbers that the network keeps of a node, after the rows
  std::uint64_t rows_begin = 0;        // the byte of the file where they begin

  // Of all rows together; more than any file holds where the header claims too much.
  std::uint64_t row_bytes() const;
};

// The header as JSON and back. Throws DamagedCheckpoint where a field is missing or out of range.
std::string header_of(const Checkpoint& checkpoint);
Checkpoint parse_header(const std::string& text, const std::filesystem::path& file);

// A file that a run can go on from: the config, the position, and the rows of the algorithm's
// state, of all nodes, whatever processes held them.
//
//   "driftless checkpoint\n", version (4 bytes), length of the header (4 bytes), header (JSON),
//   the rows one after the other, what the network keeps, CRC-32 of all before (4 bytes); numbers
//   are little-endian.

// Where a run is to be saved, and the rows of metrics.csv that were written before.
struct SavePlace {
  const Folder* folder = nullptr;  // null: nowhere
  std::string name = {};
  FileSum rows_before = {};
};

// Collective: the process of node 0 writes the file, atomically. The others' `place` and `identity`
// do not count; where that process has no place, nothing is written.
template <class Real>
void write_checkpoint(const SavePlace& place, const RunIdentity& identity,
                      const RunPosition& position, const std::vector<NamedRows<Real>>& rows,
                      const Network& network);

// A checkpoint that was cut off or changed: it is of no use to anyone.
class DamagedCheckpoint : public DataError {
 public:
  using DataError::DataError;
};

// Checks all of the file, its sum included. Throws DamagedCheckpoint where it is not whole, and
// another DataError where it cannot be read, or not by this version: it may be good all the same.
Checkpoint read_checkpoint(const std::filesystem::path& file);

// Collective: resumes the algorithm where the checkpoint left it, and the counters of the network.
// Only the process of node 0 reads the file. Throws DataError where the checkpoint is of another
// method or of other sizes.
template <class Real>
void restore(const Checkpoint& checkpoint, Algorithm<Real>& algorithm, Network& network);

}  // namespace driftless
