#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driftless/cli/commands.hpp"
#include "driftless/data/dataset.hpp"

namespace driftless {

// The data that a command is about, and the column of a table that has the classes.
inline void add_data_option(CLI::App* command, std::string& data) {
  add_option(command, "data", data,
             "mnist, a folder of IDX files, or a file as CSV, .npy, .npz or LIBSVM", "DATA")
      ->required();
}
inline void add_label_option(CLI::App* command, std::string& label) {
  add_option(command, "--label", label,
             "what is learnt: the column of a CSV by its name, of an .npy by its number, the array "
             "of an .npz",
             "NAME");
}

inline std::vector<std::int64_t> class_sizes(const Dataset& data) {
  std::vector<std::int64_t> sizes(data.class_names.size());
  for (const std::int32_t label : data.labels) ++sizes[static_cast<std::size_t>(label)];
  return sizes;
}

}  // namespace driftless
