#pragma once

#include <string>
#include <vector>

#include "driftless/record/digest.hpp"
#include "driftless/record/recorded_run.hpp"

namespace driftless {

// Runs that differ in their seeds alone.
struct RunGroup {
  std::vector<const RecordedRun*> runs;
  std::vector<RunDigest> digests;   // a run each
  std::vector<std::string> values;  // of the comparison's keys; empty where a run has no such key
};

// Recorded runs, and in what they differ.
struct Comparison {
  // All keys whose values differ, in the order of a config file but algorithm.kind first, which is
  // there always.
  std::vector<std::string> keys;
  // Those of them that tell the groups apart: a key that follows from the ones before, as the
  // rounds that each method was given, is none.
  std::vector<std::string> axes;
  std::vector<RunGroup> groups;

  std::size_t key_index(const std::string& key) const;
  // The axes beside one that is wanted: with it they tell the groups apart.
  std::vector<std::string> axes_beside(const std::string& key) const;
};

// Where the same run with the same seed stands in several folders, they are compared by their
// folders: what is equal must not be taken for repetitions.
Comparison compare(const std::vector<RecordedRun>& runs);

}  // namespace driftless
