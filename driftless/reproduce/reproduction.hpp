#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/reproduce/measured.hpp"
#include "driftless/reproduce/verdict.hpp"

namespace driftless {

// What a paper may mean by the accuracy of a decentralised network. Rates are tuned for each.
struct Measure {
  std::string_view folder;
  std::string_view name;
  std::string_view column;
  double moderate;  // an accuracy that K-GT gets to in every setting, to count rounds by
};
std::span<const Measure> accuracy_measures();

// What a figure shows, as `driftless report` takes it.
struct PaperFigure {
  std::string_view against = "round";
  std::string_view panels{};
  std::map<std::string, std::string> only{};
};

// A figure or table of the paper (Liu, Lin, Koloskova, Stich: Decentralized Gradient Tracking with
// Local Steps, 2023): the experiment behind it, and what the paper says of it.
struct Reproduction {
  std::string_view name;
  std::string_view title;
  bool has_runs = true;                   // else it is made from the data, or the runs of
  std::vector<std::string_view> needs{};  // these
  bool of_accuracy = false;               // its experiment is done for each of the measures
  PaperFigure figure{};
  std::vector<std::string> full_overrides{};   // of its config, as --set takes them
  std::vector<std::string> quick_overrides{};  // for a look in minutes
  Where quick_without{};                       // runs that take longer than that
  // Judges what was run; may leave pictures in its own folder.
  std::vector<Claim> (*claims)(Evidence&);
};

std::span<const Reproduction> reproductions();

// One experiment of a reproduction: its folder, seen from that of all, and what its config is
// overridden with.
struct ReproducedExperiment {
  std::string name;
  std::vector<std::string> overrides;
  std::string_view metric{};  // of its figure; empty: the suboptimality
};
std::vector<ReproducedExperiment> experiments_of(const Reproduction& of, bool quick);

// The config of a reproduction: experiments/paper/<name>.toml, which is part of the program.
std::string_view paper_config(std::string_view name);

std::vector<Claim> figure1_claims(Evidence& evidence);
std::vector<Claim> figure2a_claims(Evidence& evidence);
std::vector<Claim> figure2b_claims(Evidence& evidence);
std::vector<Claim> figure2_claims(Evidence& evidence);
std::vector<Claim> figure3_claims(Evidence& evidence);
std::vector<Claim> figure4_claims(Evidence& evidence);
std::vector<Claim> table1_claims(Evidence& evidence);
std::vector<Claim> table2_claims(Evidence& evidence);

// The claims for a terminal, where their words begin in that column, for a page and for programs.
constexpr std::size_t claims_indent = 17;
std::string claims_text(const Reproduction& of, const std::vector<Claim>& claims);
std::string claims_markdown(const Reproduction& of, const std::vector<Claim>& claims);
std::string claims_json(const Reproduction& of, const std::vector<Claim>& claims, bool quick,
                        double seconds);

}  // namespace driftless
