#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "driftless/algorithm/options.hpp"
#include "driftless/base/fingerprint.hpp"
#include "driftless/config/plan.hpp"
#include "driftless/experiment/input_files.hpp"
#include "driftless/experiment/metrics.hpp"
#include "driftless/experiment/prepared_network.hpp"
#include "driftless/network/conditions.hpp"
#include "driftless/problem/registry.hpp"

namespace driftless {

// What the runs of a plan share, loaded once: the networks with their spectra, and the sources of
// their problems. Loading all of it first means that every fault of the input shows before anything
// is written.
class Setup {
 public:
  // Collective: all processes have the same plan. Throws InputError, in all of them, where one
  // cannot load what it needs, and where a run has fewer nodes than there are processes.
  explicit Setup(const ExperimentPlan& plan, const Processes& processes = Processes(),
                 const Notice& notice = {});

  const PreparedNetwork& network(const ExperimentConfig& config) const;
  // What the letters of a run go through, whose models have so many numbers. None: they are whole,
  // and the links are the same in every round. Throws ConfigError for a codec that the method does
  // not bear with so many numbers.
  std::optional<Conditions> conditions(const ExperimentConfig& config, Index dim) const;
  AnyProblem problem(const ExperimentConfig& config) const;  // of the nodes hosted here

  // The files that the config names, by its keys and their names: "problem.data train.libsvm", or
  // "problem.data node 3 site.csv" where a node has a file of its own.
  FileSums inputs(const ExperimentConfig& config) const;
  // All that was loaded: networks, problem files and data.
  void add_to(Fingerprint& fingerprint) const;

  // What a user should know before trusting the runs, a line each.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  void prepare_network(const ExperimentConfig& config);
  void check_processes() const;
  void load_problems(const std::vector<const PlannedRun*>& runs, const Notice& notice);
  void check_start(const ExperimentConfig& config) const;
  void check_trace(const ExperimentConfig& config) const;
  void check_codecs(const std::vector<const PlannedRun*>& runs) const;
  void warn(const ExperimentConfig& config);
  void warn_of_network(const ExperimentConfig& config);
  void warn_of_rounded_letters(const ExperimentConfig& config);
  void add_warning(std::string warning);
  void warn_of_tuning(const ExperimentPlan& plan);

  ProblemSource& source_of(const ExperimentConfig& config);
  const ProblemSource& source_of(const ExperimentConfig& config) const;
  ProblemRequest request_of(const ExperimentConfig& config) const;
  std::string network_key(const ExperimentConfig& config) const;
  std::string trace_key(const ExperimentConfig& config) const;

  int rank_;
  int processes_;
  std::map<std::string, std::unique_ptr<ProblemSource>> sources_;  // by group, or else kind
  std::map<std::string, PreparedNetwork> networks_;
  std::map<std::string, Trace> traces_;
  std::vector<ProblemSource*> in_order_;            // that of the plan, which all processes have
  std::map<std::string, NodeId> nodes_by_problem_;  // what each problem file says
  InputFiles files_;
  std::vector<std::string> warnings_;
};

AlgorithmOptions algorithm_options(const ExperimentConfig& config);
EvaluationOptions evaluation_options(const ExperimentConfig& config);

}  // namespace driftless
