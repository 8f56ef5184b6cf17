#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "driftless/site/study.hpp"

namespace driftless {

struct SiteRunOptions {
  std::filesystem::path out;
  bool force = false;  // begins anew where the folder holds a run
  int threads = 1;
  std::function<bool()> wants_stop = [] { return false; };
  std::function<void(const std::string&)> tell = [](const std::string&) {};  // a line
};

enum class SiteEnd { finished, stopped, was_finished };

// A site's part of a run, from its first letter, or from where it stopped, to the end of all rounds
// and until all neighbours have what they need of it. The folder then has
//
//   node.npy     its own model: its row of nodes.npy of the same run in one process
//   sites.csv    what every site told of itself, round by round
//   study.toml   what all sites share, as this one read it
//   status.json  how it stands with its neighbours, anew every second
//
// Throws InputError before anything is written, and SilentProcess where a neighbour cannot be
// waited for any longer; the run goes on when it is started again.
SiteEnd run_site(const SiteConfig& site, const Study& study, const SiteRunOptions& options);

}  // namespace driftless
