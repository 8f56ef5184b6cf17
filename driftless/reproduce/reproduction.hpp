#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/reproduce/verdict.hpp"

namespace driftless {

// A figure or table of the paper (Liu, Lin, Koloskova, Stich: Decentralized Gradient Tracking with
// Local Steps, 2023): the experiment behind it, and what the paper says of it.
struct Reproduction {
  std::string_view name;
  std::string_view title;
  bool has_runs = true;                        // else it is made from the data alone
  std::string_view metric{};                   // of the figure; empty: the suboptimality
  std::string_view against{};                  // empty: rounds
  std::vector<std::string> full_overrides{};   // of its config, as --set takes them
  std::vector<std::string> quick_overrides{};  // for a look in minutes
  // Judges what is in the folder of the runs; may leave pictures there.
  std::vector<Claim> (*claims)(const std::filesystem::path& folder);
};

std::span<const Reproduction> reproductions();

// The config of a reproduction: experiments/paper/<name>.toml, which is part of the program.
std::string_view paper_config(std::string_view name);

std::vector<Claim> figure1_claims(const std::filesystem::path& folder);
std::vector<Claim> figure2a_claims(const std::filesystem::path& folder);
std::vector<Claim> figure2b_claims(const std::filesystem::path& folder);
std::vector<Claim> figure3_claims(const std::filesystem::path& folder);
std::vector<Claim> figure4_claims(const std::filesystem::path& folder);
std::vector<Claim> table1_claims(const std::filesystem::path& folder);
std::vector<Claim> table2_claims(const std::filesystem::path& folder);

// The claims for a terminal, where their words begin in that column, for a page and for programs.
constexpr std::size_t claims_indent = 17;
std::string claims_text(const Reproduction& of, const std::vector<Claim>& claims);
std::string claims_markdown(const Reproduction& of, const std::vector<Claim>& claims);
std::string claims_json(const Reproduction& of, const std::vector<Claim>& claims, bool quick,
                        double seconds);

}  // namespace driftless
