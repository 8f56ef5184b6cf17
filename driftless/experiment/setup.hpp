#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "driftless/algorithm/algorithm.hpp"
#include "driftless/base/fingerprint.hpp"
#include "driftless/data/dataset.hpp"
#include "driftless/config/sweep_plan.hpp"
#include "driftless/graph/spectrum.hpp"
#include "driftless/problem/least_squares.hpp"

namespace driftless {

// W as a config asks for it, and its mixing rate.
struct PreparedNetwork {
  MixingMatrix mixing;
  Spectrum spectrum;
};

// Networks are trained in float; convex problems are solved in double, to the last digits.
using RunProblem = std::variant<std::unique_ptr<Problem<float>>, std::unique_ptr<Problem<double>>>;

// Which of several processes this one is.
struct Share {
  int rank = 0;
  int ranks = 1;
};

// What the runs of a plan share, loaded once: the networks with their spectra, the problem
// files and the data. Loading all of it first means that every fault of the input shows before
// anything is written. Of samples, a process keeps those that its nodes have in any of the runs.
class Setup {
 public:
  // Throws ConfigError where a run has fewer nodes than there are ranks.
  explicit Setup(const ExperimentPlan& plan, Share share = {});

  const PreparedNetwork& network(const ExperimentConfig& config) const;
  RunProblem problem(const ExperimentConfig& config) const;
  const LabelledData& data(const ExperimentConfig& config) const;  // of a problem that learns

  // All that was loaded: networks, problem files and data.
  void add_to(Fingerprint& fingerprint) const;

  // What a user should know before trusting the runs, a line each.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  void prepare_network(const ExperimentConfig& config);
  void prepare_data(std::span<const ExperimentConfig> all, const ExperimentConfig& config);
  void check_ranks(int ranks) const;
  void check_memory(const ExperimentConfig& config) const;
  void check_starts(const ExperimentConfig& config) const;
  NodeId nodes_of(const ExperimentConfig& config) const;
  std::string network_key(const ExperimentConfig& config) const;

  Share share_;
  // Of a process among several, without the rows of nodes that others host.
  struct ProblemFile {
    LeastSquaresData data;
    std::uint64_t fingerprint = 0;  // of all of the file
  };
  void load_problem_file(const std::filesystem::path& file);

  std::map<std::string, ProblemFile> problem_files_;
  std::map<std::string, std::shared_ptr<const LabelledData>> data_;
  std::map<std::string, PreparedNetwork> networks_;
  std::vector<std::string> warnings_;
};

AlgorithmOptions algorithm_options(const ExperimentConfig& config);

}  // namespace driftless
