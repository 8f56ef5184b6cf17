#include "driftless/site/study.hpp"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driftless/algorithm/registry.hpp"
#include "driftless/base/error.hpp"
#include "driftless/config/key.hpp"
#include "driftless/data/sites.hpp"
#include "driftless/experiment/prepared_network.hpp"

namespace driftless {
namespace {

bool is_set(const Settings& settings, const std::string& name, const std::string& to) {
  const auto found = settings.find(name);
  return found != settings.end() && plain_text(found->second) == to;
}

// What takes all models, or all data, to one place has no place among sites.
void check(const ExperimentConfig& config, const SiteConfig& site) {
  const std::string file = site.study.string();
  const AlgorithmKind& kind = *find_algorithm_kind(config.algorithm.kind);
  if (kind.vectors_a_server > 0) {
    throw ConfigError(
        "{}: algorithm.kind = \"{}\" goes through a server, and sites have none: take "
        "another method (driftless list methods)",
        file, kind.name);
  }
  if (is_set(config.algorithm.options, "initial_correction", "gradient")) {
    throw ConfigError(
        "{}: algorithm.initial_correction = \"gradient\" begins with a mean through a "
        "server, and sites have none: leave it out",
        file);
  }
  if (config.faults.any()) {
    throw ConfigError("{}: [faults] are for trials in one process; leave the section out", file);
  }
  if (config.compression.codec != "none") {
    throw ConfigError(
        "{}: compression.codec = \"{}\": letters between sites are whole; leave the "
        "section out",
        file, config.compression.codec);
  }
  if (is_set(config.problem.options, "optimum", "true")) {
    throw ConfigError(
        "{}: problem.optimum = true is found with the gradients of all sites in one "
        "place; leave it out",
        file);
  }
  if (config.run.drift) {
    throw ConfigError("{}: run.drift = true takes the mean of all models; leave it out", file);
  }
  const auto sites = static_cast<NodeId>(site.sites.size());
  if (config.network.nodes != sites) {
    throw ConfigError("{}: network.nodes = {}, and peer.sites names {}; they must be the same",
                      file, config.network.nodes.value_or(0), sites);
  }
}

// The site's own file in the place of its node; the others' are never looked at.
void put_own_data(ExperimentConfig& config, const SiteConfig& site) {
  for (const auto& [option, own] :
       {std::pair("data", site.data), std::pair("test_data", site.test_data)}) {
    const auto named = config.problem.options.find(option);
    if (!own.empty()) {
      std::vector<std::string> files;
      files.reserve(site.sites.size());
      for (const std::string& name : site.sites) files.push_back("of " + name);
      files[static_cast<std::size_t>(site.own())] = own.string();
      config.problem.options[option] = std::move(files);
    } else if (std::string_view(option) == "data" && named != config.problem.options.end() &&
               plain_text(named->second).find("{node}") == std::string::npos) {
      throw ConfigError(
          "{}: problem.data is one file for all nodes, and each site has its own: give "
          "peer.data",
          site.study.string());
    }
  }
}

std::string shared_text(ExperimentConfig config, const SiteConfig& site,
                        const LinkSequence& links) {
  for (const Key& key : config_keys()) {
    if (!key.names_files()) continue;
    if (key.section() == "problem") config.problem.options.erase(std::string(key.short_name()));
  }
  config.network.file.clear();
  config.checkpoint = {};
  std::string text = "driftless study 1\n" + to_toml(config);
  for (const std::string& name : site.sites) text += name + "\n";
  WeightRows rows;
  for (Round t = 0; t < links.period(); ++t) {
    links.links(t, rows);
    for (NodeId i = 0; i < rows.size(); ++i) {
      const auto [nodes, weights] = rows.row(i);
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        text += fmt::format("{} {} {} {}\n", t, i, nodes[k], weights[k]);
      }
    }
  }
  return text;
}

}  // namespace

Study load_study(const SiteConfig& site) {
  Study study{.plan = load_experiment(site.study), .links = nullptr};
  if (study.plan.is_sweep()) {
    throw ConfigError("{}: sites do one run together; leave out sweeps, tuning and repetitions",
                      site.study.string());
  }
  ExperimentConfig& config = study.plan.combinations.front().runs.front().config;
  check(config, site);
  study.links = links_of(config.network, config.network.nodes, "peer.sites");
  const std::string text = shared_text(config, site, *study.links);
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(),
         reinterpret_cast<unsigned char*>(study.hash.data()));
  put_own_data(config, site);
  return study;
}

}  // namespace driftless
