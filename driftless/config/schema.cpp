#include "driftless/config/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "driftless/algorithm/registry.hpp"
#include "driftless/base/text.hpp"
#include "driftless/data/split.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/weights.hpp"
#include "driftless/problem/kinds.hpp"

namespace driftless {
namespace {

using Names = std::vector<std::string_view>;

Names algorithms() {
  Names names;
  for (const AlgorithmKind& kind : algorithm_kinds()) names.push_back(kind.name);
  return names;
}

Names algorithms_with(bool AlgorithmKind::*capability) {
  Names names;
  for (const AlgorithmKind& kind : algorithm_kinds())
    if (kind.*capability) names.push_back(kind.name);
  return names;
}

Names topology_names() {
  Names names;
  for (const GraphFamily& topology : graph_families()) names.push_back(topology.name);
  return names;
}

Names weight_names() {
  Names names;
  for (const WeightsEntry& entry : weights_table()) names.push_back(entry.name);
  return names;
}

Names problems(bool learning) {
  Names names;
  for (const ProblemKind& kind : problem_kinds)
    if (kind.learns == learning) names.push_back(kind.name);
  return names;
}

Names split_names() {
  Names names;
  for (const SplitEntry& entry : split_table()) names.push_back(entry.name);
  return names;
}

Names topologies_with(std::string_view parameter) {
  Names names;
  for (const GraphFamily& topology : graph_families()) {
    const bool takes_it =
        std::ranges::find(topology.parameters, parameter) != topology.parameters.end();
    if (takes_it || (parameter == "seed" && topology.random)) names.push_back(topology.name);
  }
  return names;
}

std::string_view problem_file(const ExperimentConfig& config) {
  return config.problem.file.empty() ? "" : "problem.file";
}

std::string_view network_file(const ExperimentConfig& config) {
  return config.network.file.empty() ? "" : "network.file";
}

std::string_view mixing_matrix_file(const ExperimentConfig& config) {
  return config.network.file.extension() == ".mtx" ? "the mixing matrix in network.file" : "";
}

// Collects the keys of one section.
template <class SectionConfig>
class Section {
 public:
  Section(std::vector<Key>& keys, std::string name, SectionConfig ExperimentConfig::*section)
      : keys_(keys), name_(std::move(name)), section_(section) {}

  // The reference holds until the next key is added.
  template <class Field>
  Key& key(std::string_view short_name, Field SectionConfig::*field, std::string doc) {
    return keys_.emplace_back(
        make_key(fmt::format("{}.{}", name_, short_name), std::move(doc), section_, field));
  }

 private:
  std::vector<Key>& keys_;
  std::string name_;
  SectionConfig ExperimentConfig::*section_;
};

void add_problem(std::vector<Key>& keys) {
  using C = ProblemConfig;
  Section section(keys, "problem", &ExperimentConfig::problem);
  const std::string kind = "problem.kind";
  const Names given = problems(/*learning=*/false);
  const Names learning = problems(/*learning=*/true);
  Names all = given;
  std::ranges::copy(learning, std::back_inserter(all));
  section.key("kind", &C::kind, "what is minimised").one_of(all);
  section.key("file", &C::file, "a JSON problem instead of a synthetic one, seen from this file")
      .only_for(kind, given);
  section.key("dim", &C::dim, "d, the parameters of the model")
      .at_least(1)
      .at_most(1e9)
      .only_for(kind, given)
      .unless(problem_file);
  section.key("heterogeneity", &C::heterogeneity, "zeta^2, how much the nodes' data differ")
      .at_least(0)
      .only_for(kind, given)
      .unless(problem_file);
  section.key("noise", &C::noise, "sigma^2, the total variance of one stochastic gradient")
      .at_least(0)
      .only_for(kind, given);

  section
      .key("data", &C::data,
           "mnist, or a folder of IDX files, or a LIBSVM file, seen from this file")
      .or_known("mnist")
      .only_for(kind, learning);
  section.key("test_data", &C::test_data, "the LIBSVM file that accuracy is measured on")
      .only_for(kind, learning);
  section.key("split", &C::split, "which node has which samples")
      .one_of(split_names())
      .only_for(kind, learning);
  section.key("alpha", &C::alpha, "of the Dirichlet split: the smaller, the more unequal")
      .above(0)
      .only_for("problem.split", {"dirichlet"});
  section.key("shards", &C::shards, "pieces of the sorted samples that a node has")
      .at_least(1)
      .only_for("problem.split", {"shards"});
  section.key("batch", &C::batch, "samples of a stochastic gradient")
      .at_least(1)
      .only_for(kind, learning);
  section.key("sampling", &C::sampling, "a fresh order each pass, or independent draws")
      .one_of({"shuffle", "iid"})
      .only_for(kind, learning);
  section.key("l2", &C::l2, "lambda of lambda/2 |x|^2, added to every f_i")
      .at_least(0)
      .only_for(kind, learning);
  section.key("nonconvex", &C::nonconvex, "lambda of lambda sum x_j^2/(1 + x_j^2), added likewise")
      .at_least(0)
      .only_for(kind, {"logistic"});
  section.key("hidden", &C::hidden, "units of each hidden layer: \"200\", \"300 100\"")
      .only_for(kind, {"mlp"});
}

void add_network(std::vector<Key>& keys) {
  using C = NetworkConfig;
  Section section(keys, "network", &ExperimentConfig::network);
  section.key("nodes", &C::nodes, "n; may be left out when a file says it")
      .at_least(1)
      .at_most(1e7);
  section.key("topology", &C::topology, "who talks to whom")
      .one_of(topology_names())
      .unless(network_file);
  section.key("file", &C::file, "W itself (*.mtx) or a list of edges, seen from this file");
  section.key("weights", &C::weights, "how W weighs the neighbours")
      .one_of(weight_names())
      .unless(mixing_matrix_file);
  const auto parameter = [&](std::string_view name, auto field, std::string doc) -> Key& {
    return section.key(name, field, std::move(doc))
        .only_for("network.topology", topologies_with(name))
        .unless(network_file);
  };
  parameter("rows", &C::rows, "of the torus; nearest to square when left out").at_least(1);
  parameter("columns", &C::columns, "of the torus").at_least(1);
  parameter("edge_probability", &C::edge_probability, "of each pair of nodes").above(0).at_most(1);
  parameter("degree", &C::degree, "neighbours of each node").at_least(1);
  parameter("radius", &C::radius, "nodes of the unit square nearer than this are neighbours")
      .above(0);
  parameter("seed", &C::seed, "of the random graph").at_least(0);
}

void add_algorithm(std::vector<Key>& keys) {
  using C = AlgorithmConfig;
  Section section(keys, "algorithm", &ExperimentConfig::algorithm);
  const std::string kind = "algorithm.kind";
  section.key("kind", &C::kind, "the method").one_of(algorithms()).must_be_given();
  section.key("local_steps", &C::local_steps, "K, gradients between two communications")
      .at_least(1)
      .at_most((1 << 24) - 1);  // a draw counts steps in 24 bits
  section.key("local_rate", &C::local_rate, "eta_c, the rate of a local step")
      .above(0)
      .must_be_given();
  section.key("communication_rate", &C::communication_rate, "eta_s, the rate of the round's step")
      .at_least(0)
      .only_for(kind, algorithms_with(&AlgorithmKind::communication_rate));
  section
      .key("initial_correction", &C::initial_correction,
           "zero, or from the first gradients for one more global round")
      .one_of({"zero", "gradient"})
      .only_for(kind, algorithms_with(&AlgorithmKind::initial_correction));
  section.key("global_every", &C::global_every, "H, rounds between two global averages")
      .at_least(1)
      .only_for(kind, algorithms_with(&AlgorithmKind::global_every));
  section.key("lazy", &C::lazy, "mix with (I + W)/2")
      .only_for(kind, algorithms_with(&AlgorithmKind::lazy));
}

void add_schedule(std::vector<Key>& keys) {
  using C = ScheduleConfig;
  Section section(keys, "schedule", &ExperimentConfig::schedule);
  const std::string kind = "schedule.kind";
  section.key("kind", &C::kind, "how the rates follow the rounds")
      .one_of({"constant", "step", "cosine", "inverse_sqrt"});
  section.key("warmup_rounds", &C::warmup_rounds, "rounds of a linear ramp up to the full rate")
      .at_least(0);
  section.key("every", &C::every, "rounds between two drops of the rate")
      .at_least(1)
      .only_for(kind, {"step"})
      .must_be_given();
  section.key("factor", &C::factor, "of the rate at each drop")
      .above(0)
      .at_most(1)
      .only_for(kind, {"step"});
  section.key("floor", &C::floor, "fraction of the rate that is left at the end")
      .at_least(0)
      .at_most(1)
      .only_for(kind, {"cosine"});
  section.key("scale", &C::scale, "s of rate/sqrt(1 + t/s)")
      .above(0)
      .only_for(kind, {"inverse_sqrt"});
}

void add_run(std::vector<Key>& keys) {
  using C = RunConfig;
  Section section(keys, "run", &ExperimentConfig::run);
  section.key("rounds", &C::rounds, "of communication")
      .at_least(1)
      .at_most(4294967294.0)  // a draw counts rounds in 32 bits
      .must_be_given();
  section.key("seed", &C::seed, "of all draws but the graph's; repetition k uses seed + k - 1")
      .at_least(0);
  section.key("repetitions", &C::repetitions, "runs that differ in their seed alone")
      .at_least(1)
      .not_swept();
  section.key("evaluate_every", &C::evaluate_every, "rounds between two rows of metrics.csv")
      .at_least(1);
  section.key("gradient_metrics", &C::gradient_metrics,
              "fill the columns that need full gradients (default: not where samples are learnt)");
  section
      .key("test_every_node", &C::test_every_node,
           "test every node's model, for the worst one's accuracy (slower)")
      .only_for("problem.kind", problems(/*learning=*/true));
  section.key("drift", &C::drift, "measure the drift of the local steps (slower)");
  section
      .key("target", &C::target,
           "suboptimality, or loss where the optimum is unknown; the closing table tells when")
      .above(0)
      .not_swept();
  section.key("on_divergence", &C::on_divergence, "end a run that diverges, or go on for study")
      .one_of({"stop", "continue"});
  section
      .key("divergence_factor", &C::divergence_factor,
           "a loss above so many times 1 + |loss at the start| is divergence")
      .above(1);
}

void add_checkpoint(std::vector<Key>& keys) {
  using C = CheckpointConfig;
  Section section(keys, "checkpoint", &ExperimentConfig::checkpoint);
  section.key("every_rounds", &C::every_rounds, "rounds between two checkpoints, for --resume")
      .at_least(1)
      .not_swept();
  section
      .key("every_minutes", &C::every_minutes, "minutes between two checkpoints; 0: none by time")
      .at_least(0)
      .not_swept();
  section.key("keep", &C::keep, "checkpoints that are kept, the newest").at_least(1).not_swept();
}

// No bounds to one side: a metric may have any sign.
void add_tune(std::vector<Key>& keys) {
  using C = TuneConfig;
  Section section(keys, "tune", &ExperimentConfig::tune);
  section.key("metric", &C::metric, "the column of metrics.csv that the best values are chosen by")
      .one_of({"loss", "suboptimality", "grad_norm2", "consensus", "train_loss", "test_loss",
               "test_accuracy", "worst_node_accuracy"})
      .not_swept();
  section.key("direction", &C::direction, "of the metric (default: max for accuracies, else min)")
      .one_of({"min", "max"})
      .not_swept();
  section.key("read", &C::read, "when the metric is read (default \"last\")")
      .one_of({"last", "best", "mean", "rounds_to_target", "bytes_to_target"})
      .not_swept();
  section.key("evaluations", &C::evaluations, "how many of the last rows the mean is taken over")
      .at_least(1)
      .only_for("tune.read", {"mean"})
      .must_be_given()
      .not_swept();
  section.key("target", &C::target, "what the metric is to reach for good")
      .only_for("tune.read", {"rounds_to_target", "bytes_to_target"})
      .must_be_given()
      .not_swept();
  section.key("rounds", &C::rounds, "of each tuning run (default: run.rounds)")
      .at_least(1)
      .at_most(4294967294.0)
      .not_swept();
  section.key("repetitions", &C::repetitions, "of each point of the grid (default 1)")
      .at_least(1)
      .not_swept();
  section.key("seed", &C::seed, "of the first tuning run (default: run.seed + 1000000)")
      .at_least(0)
      .not_swept();
}

Names names_of_keys() {
  Names names;
  for (const Key& key : config_keys()) names.push_back(key.name);
  return names;
}

// The keys, in any section, whose last component is most like `short_name`.
Names keys_called_like(std::string_view short_name) {
  Names short_names;
  for (const Key& key : config_keys()) short_names.push_back(key.short_name());
  const Names nearest = nearest_names(short_name, short_names);
  Names names;
  for (const Key& key : config_keys())
    if (std::ranges::find(nearest, key.short_name()) != nearest.end()) names.push_back(key.name);
  return names;
}

}  // namespace

std::span<const Key> config_keys() {
  static const std::vector<Key> keys = [] {
    std::vector<Key> all;
    add_problem(all);
    add_network(all);
    add_algorithm(all);
    add_schedule(all);
    add_run(all);
    add_checkpoint(all);
    add_tune(all);
    return all;
  }();
  return keys;
}

std::span<const std::string_view> config_sections() {
  static constexpr std::array<std::string_view, 7> sections = {
      "problem", "network", "algorithm", "schedule", "run", "checkpoint", "tune"};
  return sections;
}

const Key* find_key(std::string_view name) {
  const auto keys = config_keys();
  const auto found = std::ranges::find(keys, name, &Key::name);
  return found == keys.end() ? nullptr : &*found;
}

std::string why_inapplicable(const Key& key, const ExperimentConfig& config) {
  if (key.replaced_by) {
    const std::string_view replacement = key.replaced_by(config);
    if (!replacement.empty()) return fmt::format("{} takes its place; remove one", replacement);
  }
  if (key.selections.empty()) return "";
  const std::optional<Value> value = find_key(key.selector)->value_in(config);
  if (!value) return fmt::format("needs {} = {}", key.selector, either_of(key.selections));
  const std::string selected = plain_text(*value);
  if (std::ranges::find(key.selections, selected) != key.selections.end()) return "";
  return fmt::format("not a key of {} = \"{}\"; it belongs to {}", key.selector, selected,
                     either_of(key.selections));
}

std::string unknown_key(std::string_view name) {
  Names nearest = nearest_names(name, names_of_keys());
  if (nearest.empty()) nearest = keys_called_like(name.substr(name.rfind('.') + 1));
  if (!nearest.empty()) return fmt::format("unknown key {}{}", name, did_you_mean(nearest));
  Names siblings;
  for (const Key& key : config_keys())
    if (key.section() == name.substr(0, name.find('.'))) siblings.push_back(key.short_name());
  if (siblings.empty())
    return fmt::format("unknown key {}; sections are {} and sweep", name,
                       fmt::join(config_sections(), ", "));
  return fmt::format("unknown key {}; the keys of its section are {}", name,
                     fmt::join(siblings, ", "));
}

std::string unknown_section(std::string_view name) {
  Names sections(config_sections().begin(), config_sections().end());
  sections.push_back("sweep");
  const Names nearest = nearest_names(name, sections);
  if (!nearest.empty()) return fmt::format("unknown section [{}]{}", name, did_you_mean(nearest));
  return fmt::format("unknown section [{}]; sections are {}", name, fmt::join(sections, ", "));
}

}  // namespace driftless
