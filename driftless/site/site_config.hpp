#pragma once

#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "driftless/network/peers/credentials.hpp"
#include "driftless/network/peers/socket.hpp"

namespace driftless {

// A site's own file: who it is, where its data are, and how to reach its neighbours. What all sites
// share stands in the file that it names.
struct SiteConfig {
  std::filesystem::path study;
  std::string name;
  std::vector<std::string> sites;  // all of them: node i of the study is the i-th
  peers::Address listen;
  std::filesystem::path data;       // empty: the study says it
  std::filesystem::path test_data;  // likewise
  peers::CredentialFiles files;
  // A neighbour that keeps us waiting for so long ends the run.
  double dead_after = std::numeric_limits<double>::infinity();  // seconds
  std::map<std::string, peers::Address> addresses;              // of neighbours that we call

  int own() const;  // its place among the sites
};

// Throws ConfigError with all faults, each with its line and the remedy.
SiteConfig load_site_config(const std::filesystem::path& file);

// "90s", "5min", "2h" in seconds. Throws ConfigError.
double parse_duration(std::string_view text);

}  // namespace driftless
