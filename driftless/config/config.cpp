#include "driftless/config/config.hpp"

#include <algorithm>

#include "driftless/algorithm/registry.hpp"
#include "driftless/base/text.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/sequence_families.hpp"
#include "driftless/graph/weights.hpp"
#include "driftless/problem/registry.hpp"

namespace driftless {
namespace {

std::vector<std::string> learning_problems() {
  std::vector<std::string> names;
  for (const ProblemKind& kind : problem_kinds())
    if (kind.learns) names.push_back(kind.name);
  return names;
}

// Graphs, then sequences of links.
std::vector<std::string> all_topologies() {
  std::vector<std::string> names = names_of<std::string>(graph_families());
  for (const SequenceFamily& family : sequence_families()) names.emplace_back(family.name);
  return names;
}

std::vector<std::string> topologies_with(std::string_view parameter) {
  std::vector<std::string> names;
  const auto add = [&](const auto& families) {
    for (const auto& family : families) {
      const bool takes_it =
          std::ranges::find(family.parameters, parameter) != family.parameters.end();
      if (takes_it || (parameter == "seed" && family.random)) names.emplace_back(family.name);
    }
  };
  add(graph_families());
  add(sequence_families());
  return names;
}

}  // namespace

bool learns(const ProblemConfig& problem) {
  const ProblemKind* kind = find_problem_kind(problem.kind);
  return kind != nullptr && kind->learns;
}

void ProblemConfig::describe(OptionsOf<ProblemConfig>& options) {
  options.add("kind", &ProblemConfig::kind, "what is minimised")
      .one_of(names_of<std::string>(problem_kinds()));
}

TopologyOptions NetworkConfig::topology_options(NodeId on_nodes) const {
  return {.family = topology,
          .nodes = on_nodes,
          .rows = rows,
          .columns = columns,
          .edge_probability = edge_probability,
          .degree = degree,
          .radius = radius,
          .seed = seed};
}

bool NetworkConfig::names_sequence() const {
  return file.empty() && find_or_null(sequence_families(), topology) != nullptr;
}

SequenceOptions NetworkConfig::sequence_options(NodeId on_nodes) const {
  return {.family = topology,
          .nodes = on_nodes,
          .peers = peers,
          .seed = seed,
          .lazy = is_lazy(from_name<Weights>("weights", weights))};
}

void NetworkConfig::describe(OptionsOf<NetworkConfig>& options) {
  using C = NetworkConfig;
  const Option::Replacement file{.option = "file"};
  options.add("nodes", &C::nodes, "n; may be left out when a file says it")
      .at_least(1)
      .at_most(1e7);
  options.add("topology", &C::topology, "who talks to whom")
      .one_of(all_topologies())
      .unless_given(file);
  options.add("file", &C::file,
              "W itself (*.mtx), the links of every round (*.csv) or a list of edges, seen from "
              "this file");
  options.add("weights", &C::weights, "how W weighs the neighbours")
      .one_of(names_of<std::string>(values_of<Weights>))
      .unless_given({.option = "file",
                     .when = [](const Value& name) { return plain_text(name).ends_with(".mtx"); },
                     .subject = "the mixing matrix in network.file"});
  const auto parameter = [&](std::string name, auto field, std::string doc) -> Option& {
    const std::vector<std::string> families = topologies_with(name);
    return options.add(std::move(name), field, std::move(doc))
        .only_for("topology", families)
        .unless_given(file);
  };
  parameter("rows", &C::rows, "of the torus; nearest to square when left out").at_least(1);
  parameter("columns", &C::columns, "of the torus").at_least(1);
  parameter("edge_probability", &C::edge_probability, "of each pair of nodes").above(0).at_most(1);
  parameter("degree", &C::degree, "neighbours of each node").at_least(1);
  parameter("radius", &C::radius, "nodes of the unit square nearer than this are neighbours")
      .above(0);
  parameter("peers", &C::peers, "that a node has in a round, at most (default 1)").at_least(1);
  parameter("seed", &C::seed, "of the random graph or of the links drawn").at_least(0);
}

void AlgorithmConfig::describe(OptionsOf<AlgorithmConfig>& options) {
  options.add("kind", &AlgorithmConfig::kind, "the method")
      .one_of(names_of<std::string>(algorithm_kinds()))
      .must_be_given();
}

void ScheduleConfig::describe(OptionsOf<ScheduleConfig>& options) {
  using C = ScheduleConfig;
  options.add("kind", &C::kind, "how the rates follow the rounds")
      .one_of({"constant", "step", "cosine", "inverse_sqrt"});
  options.add("warmup_rounds", &C::warmup_rounds, "rounds of a linear ramp up to the full rate")
      .at_least(0);
  options.add("every", &C::every, "rounds between two drops of the rate")
      .at_least(1)
      .only_for("kind", {"step"})
      .must_be_given();
  options.add("factor", &C::factor, "of the rate at each drop")
      .above(0)
      .at_most(1)
      .only_for("kind", {"step"});
  options.add("floor", &C::floor, "fraction of the rate that is left at the end")
      .at_least(0)
      .at_most(1)
      .only_for("kind", {"cosine"});
  options.add("scale", &C::scale, "s of rate/sqrt(1 + t/s)")
      .above(0)
      .only_for("kind", {"inverse_sqrt"});
}

void RunConfig::describe(OptionsOf<RunConfig>& options) {
  using C = RunConfig;
  options.add("rounds", &C::rounds, "of communication")
      .at_least(1)
      .at_most(4294967294.0)  // a draw counts rounds in 32 bits
      .must_be_given();
  options.add("seed", &C::seed, "of all draws but the graph's; repetition k uses seed + k - 1")
      .at_least(0);
  options.add("repetitions", &C::repetitions, "runs that differ in their seed alone")
      .at_least(1)
      .not_swept();
  options.add("evaluate_every", &C::evaluate_every, "rounds between two rows of metrics.csv")
      .at_least(1);
  options
      .add("evaluate_from", &C::evaluate_from,
           "the round from which on there are rows, beside the first and the last row")
      .at_least(0);
  options.add("gradient_metrics", &C::gradient_metrics,
              "fill the columns that need full gradients (default: not where samples are learnt)");
  options
      .add("test_every_node", &C::test_every_node,
           "test every node's model, for the worst one's accuracy (slower)")
      .only_for("problem.kind", learning_problems());
  options.add("drift", &C::drift, "measure the drift of the local steps (slower)");
  options
      .add("target", &C::target,
           "suboptimality, or loss where the optimum is unknown; the closing table tells when")
      .above(0)
      .not_swept();
  options.add("on_divergence", &C::on_divergence, "end a run that diverges, or go on for study")
      .one_of({"stop", "continue"});
  options
      .add("divergence_factor", &C::divergence_factor,
           "a loss above so many times 1 + |loss at the start| is divergence")
      .above(1);
}

void CheckpointConfig::describe(OptionsOf<CheckpointConfig>& options) {
  using C = CheckpointConfig;
  options.add("every_rounds", &C::every_rounds, "rounds between two checkpoints, for --resume")
      .at_least(1);
  options
      .add("every_minutes", &C::every_minutes, "minutes between two checkpoints; 0: none by time")
      .at_least(0);
  options.add("keep", &C::keep, "checkpoints that are kept, the newest").at_least(1);
  options.sweep_none();
}

// No bounds to one side: a metric may have any sign.
void TuneConfig::describe(OptionsOf<TuneConfig>& options) {
  using C = TuneConfig;
  options
      .add(
          "metric", &C::metric,
          "the column of metrics.csv that the best values are chosen by (default: validation_loss, "
          "where problem.validation is set)")
      .one_of({"loss", "suboptimality", "grad_norm2", "consensus", "train_loss", "validation_loss",
               "validation_accuracy", "test_loss", "test_accuracy", "test_r2", "node_loss",
               "node_accuracy", "worst_node_accuracy"});
  options.add("direction", &C::direction, "of the metric (default: max for accuracies, else min)")
      .one_of({"min", "max"});
  options.add("read", &C::read, "when the metric is read (default \"last\")")
      .one_of({"last", "best", "mean", "rounds_to_target", "bytes_to_target"});
  options.add("evaluations", &C::evaluations, "how many of the last rows the mean is taken over")
      .at_least(1)
      .only_for("read", {"mean"})
      .must_be_given();
  options.add("target", &C::target, "what the metric is to reach for good")
      .only_for("read", {"rounds_to_target", "bytes_to_target"})
      .must_be_given();
  options.add("rounds", &C::rounds, "of each tuning run (default: run.rounds)")
      .at_least(1)
      .at_most(4294967294.0);
  options
      .add("evaluate_from", &C::evaluate_from,
           "the share of its rounds after which a tuning run has rows (default: as the run itself)")
      .at_least(0)
      .at_most(1);
  options.add("repetitions", &C::repetitions, "of each point of the grid (default 1)").at_least(1);
  options.add("seed", &C::seed, "of the first tuning run (default: run.seed + 1000000)")
      .at_least(0);
  options
      .add("widen", &C::widen,
           "where the best value is the least or the greatest of its list, how many further values "
           "are tried beyond it, one after the other (default 0)")
      .at_least(0)
      .at_most(20);
  options.sweep_none();
}

}  // namespace driftless
