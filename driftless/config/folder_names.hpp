#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace driftless {

// Gives each combination of values of config keys a folder name of its own:
// "kind=k-gt,heterogeneity=10".
class FolderNames {
 public:
  explicit FolderNames(const std::vector<std::string>& keys);

  // `values` are the keys with their values, empty ones left out of the name.
  std::string next(const std::vector<std::pair<std::string, std::string>>& values);

 private:
  std::vector<std::string> labels_;  // short names of the keys, or full ones where two are the same
  std::set<std::string> taken_;
};

}  // namespace driftless
