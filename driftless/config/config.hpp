#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "driftless/base/option.hpp"
#include "driftless/base/types.hpp"
#include "driftless/network/codec.hpp"
#include "driftless/network/faults.hpp"

namespace driftless {

struct SequenceOptions;
struct TopologyOptions;

// Everything that decides the bits of one run, and when it is saved. The names are those of the
// config file. Each section describes its fields (config.cpp); a problem's and a method's options
// are described where these are defined.

struct ProblemConfig {
  std::string kind = "least_squares";
  Settings options = {};  // of the kind

  bool operator==(const ProblemConfig&) const = default;
  static void describe(OptionsOf<ProblemConfig>& options);
};

bool learns(const ProblemConfig& problem);  // from samples

struct NetworkConfig {
  std::optional<NodeId> nodes = 10;  // unset: as many as the problem file or the network file has
  std::string topology = "ring";
  // *.mtx: W itself; *.csv: the links of every round; else an edge list. It replaces the topology.
  std::filesystem::path file{};
  std::string weights = "metropolis";
  // Parameters of single topologies; unset: the topology chooses.
  std::optional<NodeId> rows{};              // torus
  std::optional<NodeId> columns{};           // torus
  std::optional<double> edge_probability{};  // erdos_renyi
  std::optional<NodeId> degree{};            // random_regular
  std::optional<double> radius{};            // random_geometric
  std::optional<int> peers{};                // base_graph
  std::uint64_t seed = 1;                    // the random topologies

  // Whether the topology is one of links that change from round to round.
  bool names_sequence() const;
  // The graph or the sequence that it asks for, on this many nodes.
  TopologyOptions topology_options(NodeId on_nodes) const;
  SequenceOptions sequence_options(NodeId on_nodes) const;
  bool operator==(const NetworkConfig&) const = default;
  static void describe(OptionsOf<NetworkConfig>& options);
};

struct AlgorithmConfig {
  std::string kind{};     // required
  Settings options = {};  // of all methods and of this one

  bool operator==(const AlgorithmConfig&) const = default;
  static void describe(OptionsOf<AlgorithmConfig>& options);
};

// How the local rate follows the rounds t: a ramp (t + 1)/(warmup_rounds + 1), and then the shape,
// which begins at t = warmup_rounds.
struct ScheduleConfig {
  std::string kind = "constant";
  Round warmup_rounds = 0;
  Round every = 0;      // step: required
  double factor = 0.1;  // step: factor^floor(t/every)
  double floor = 0.0;   // cosine: from 1 at the start down to this fraction at the end
  double scale = 1.0;   // inverse_sqrt: 1/sqrt(1 + t/scale)

  bool operator==(const ScheduleConfig&) const = default;
  static void describe(OptionsOf<ScheduleConfig>& options);
};

struct RunConfig {
  Round rounds = 0;  // required
  // Repetition k (from 1) of an experiment runs with seed + k - 1, so each can be had alone.
  std::uint64_t seed = 1;
  int repetitions = 1;
  Round evaluate_every = 1;
  std::optional<Round> evaluate_from{};    // unset: from the start
  std::optional<bool> gradient_metrics{};  // unset: where a full gradient is cheap
  bool test_every_node = true;
  bool drift = false;              // measuring it costs a pass over the model a local step
  std::optional<double> target{};  // suboptimality, or loss where the optimum is not known
  std::string on_divergence = "stop";
  double divergence_factor = 1e6;  // of 1 + |loss at the start|

  bool operator==(const RunConfig&) const = default;
  static void describe(OptionsOf<RunConfig>& options);
};

// How the keys that [tune] gives lists of values get their best one. Of an experiment, not of a
// run: in the config of a single run all of it is unset.
struct TuneConfig {
  std::optional<std::string> metric{};     // a column of metrics.csv
  std::optional<std::string> direction{};  // "min" or "max"; unset: as the metric is meant
  std::optional<std::string> read{};       // when the metric is read; unset: "last"
  std::optional<int> evaluations{};        // of read = "mean"
  std::optional<double> target{};          // of read = "rounds_to_target", "bytes_to_target"
  std::optional<Round> rounds{};           // of a tuning run; unset: run.rounds
  std::optional<double> evaluate_from{};   // share of a tuning run's rounds; unset: as the run
  std::optional<int> repetitions{};        // of each point of the grid; unset: 1
  std::optional<std::uint64_t> seed{};     // of their first; unset: far above run.seed
  std::optional<int> widen{};              // values beyond each end of a list; unset: none

  bool operator==(const TuneConfig&) const = default;
  static void describe(OptionsOf<TuneConfig>& options);
};

// When a run is saved, so that it can go on after an interruption. Changes no result.
struct CheckpointConfig {
  std::optional<Round> every_rounds{};
  double every_minutes = 10;  // 0: not by time
  int keep = 2;               // the newest ones; a damaged one leaves the one before

  bool operator==(const CheckpointConfig&) const = default;
  static void describe(OptionsOf<CheckpointConfig>& options);
};

struct ExperimentConfig {
  ProblemConfig problem{};
  NetworkConfig network{};
  FaultOptions faults{};
  CompressionOptions compression{};
  AlgorithmConfig algorithm{};
  ScheduleConfig schedule{};
  RunConfig run{};
  CheckpointConfig checkpoint{};
  TuneConfig tune{};

  bool operator==(const ExperimentConfig&) const = default;
};

}  // namespace driftless
