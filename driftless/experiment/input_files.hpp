#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "driftless/base/file_sum.hpp"
#include "driftless/base/processes.hpp"
#include "driftless/config/config.hpp"

namespace driftless {

// The sums of all files that the configs of a plan name, so that a run is continued with the files
// that it began with.
class InputFiles {
 public:
  // Sums the files of a config of so many nodes. What all processes see, the first one sums; a
  // node's own file, the process that hosts it. Throws DataError where one cannot be read.
  void add(const ExperimentConfig& config, NodeId nodes, NodeRange hosted, bool first_process);

  // Collective, after that: tells every process the sums of all.
  void exchange(const Processes& processes);

  // By the keys of the config and the files' names: "problem.data train.libsvm", or "problem.data
  // node 3 site.csv" where a node has a file of its own.
  FileSums of(const ExperimentConfig& config, NodeId nodes) const;

 private:
  std::vector<std::filesystem::path> in_order_;  // that of the plan, which all processes have
  std::map<std::filesystem::path, std::optional<FileSum>> sums_;
};

}  // namespace driftless
