#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "driftless/base/hosting.hpp"
#include "driftless/base/processes.hpp"
#include "driftless/data/dataset.hpp"
#include "driftless/data/read_options.hpp"

namespace driftless {

// Data that lie where the nodes are: one file a node. They are named by a text with {node} in it,
// for which the number of the node stands, from 0, or by a list.
using NamedFiles = std::vector<std::filesystem::path>;

bool names_sites(const NamedFiles& named);  // else it is one file, or one folder, for all
std::filesystem::path site_file(const NamedFiles& named, NodeId node);

// The files of the hosted nodes, read and compared with those of the others. Of all that is read,
// only this leaves the process: how many features there are, a hash of the columns' names, the
// classes with the lines where they first occur, whether targets have more than two values; and
// where columns differ, a hash of each column's name of the first node.
class Sites {
 public:
  // Reads the training samples. `data` and `test` are as the config names them; `test` may be
  // empty, or one file for all.
  Sites(NamedFiles data, NamedFiles test, NodeRange hosted, const ReadOptions& options);

  // Collective: throws the same DataError in all processes where sites differ in what must be the
  // same, and where a test file is not as the training files are.
  void agree(const Processes& processes);

  // After that, once: takes the samples of the hosted nodes out, one node after the other.
  LabelledData merge();
  const Partition& train() const { return train_; }  // who has which of the merged samples
  const Partition& test() const { return test_; }    // the same; empty where one set serves all

 private:
  void compare_shapes(const Processes& processes);
  void read_tests();

  NamedFiles data_;
  NamedFiles tests_;
  NodeRange hosted_;
  ReadOptions options_;
  std::vector<LabelledData> nodes_;  // the hosted ones
  std::optional<Dataset> common_test_;
  Partition train_;
  Partition test_;
};

}  // namespace driftless
