#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driftless/network/ranks.hpp"

namespace driftless {

struct RunRequest {
  std::filesystem::path config;
  std::vector<std::string> overrides;
  std::filesystem::path out;
  int threads = 0;  // 0: all cores, shared by the ranks of a machine
  bool force = false;
  bool quiet = false;
  bool closing_table = true;  // unless quiet
};

// `driftless run`; gives the exit code.
int run_command(const RunRequest& request, const Ranks& ranks);

}  // namespace driftless
