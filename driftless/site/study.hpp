#pragma once

#include <memory>

#include "driftless/config/plan.hpp"
#include "driftless/graph/link_sequence.hpp"
#include "driftless/network/peers/frame.hpp"
#include "driftless/site/site_config.hpp"

namespace driftless {

// What all sites share, as one of them sees it: its own data stand where the study names files.
struct Study {
  ExperimentPlan plan;  // of one run
  std::shared_ptr<const LinkSequence> links;
  peers::StudyHash hash{};  // the same at all sites; never of data, paths or addresses

  const ExperimentConfig& config() const { return plan.combinations.front().runs.front().config; }
};

// Throws ConfigError for a study that sites cannot run, by name and with the remedy.
Study load_study(const SiteConfig& site);

}  // namespace driftless
