#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "driftless/base/layout.hpp"
#include "driftless/cli/checks.hpp"
#include "driftless/cli/print_mixing.hpp"
#include "driftless/config/key.hpp"
#include "driftless/graph/edge_list.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/matrix_market.hpp"
#include "driftless/graph/sequence_families.hpp"
#include "driftless/graph/weights.hpp"
#include "driftless/network/round_time.hpp"

namespace driftless {
namespace {

struct Request {
  std::string family;
  std::optional<NodeId> nodes;
  TopologyOptions options;  // but family, nodes and seed, which may be left out
  std::optional<int> peers;
  std::optional<std::int64_t> seed;
  std::optional<std::string> weights;
  std::string edge_list;
  std::string matrix;
  std::string rounds;  // a file of the links of every round
  std::optional<double> drop;
  std::string output;
  std::optional<std::int64_t> message;  // given: how long a round takes is told too
  RoundTimeOptions links;
  std::optional<int> machines;
  std::vector<Step> local_steps{1, 2, 5, 10, 20, 50, 100};
};

struct Topology {
  std::string title;
  std::string weights;
  MixingMatrix mixing;
};

struct Sequence {
  std::string title;
  std::unique_ptr<LinkSequence> links;
};

// "torus, 3 rows x 4 columns"
std::string describe(const TopologyOptions& options, bool random) {
  std::string text = options.family;
  if (options.rows) text += fmt::format(", {} rows x {} columns", *options.rows, *options.columns);
  if (options.edge_probability) {
    text += fmt::format(", edge probability {:.6g}", *options.edge_probability);
  }
  if (options.degree) text += fmt::format(", degree {}", *options.degree);
  if (options.radius) text += fmt::format(", radius {:.6g}", *options.radius);
  if (random) text += fmt::format(", seed {}", options.seed);
  return text;
}

// "base_graph, peers 2, lazy"
std::string describe(const SequenceOptions& options, bool random) {
  std::string text = options.family;
  if (options.peers) text += fmt::format(", peers {}", *options.peers);
  if (random) text += fmt::format(", seed {}", options.seed);
  if (options.lazy) text += ", lazy";
  return text;
}

// Whether the links change from round to round.
bool asks_for_sequence(const Request& request) {
  return !request.rounds.empty() || find_or_null(sequence_families(), request.family) != nullptr;
}

void check_source(const Request& request) {
  const std::array sources{request.family, request.edge_list, request.matrix, request.rounds};
  if (std::ranges::count(sources, "") != 3) {
    throw ConfigError(
        "topology: give one of a family, --edges FILE, --matrix FILE and --rounds FILE");
  }
  const TopologyOptions& options = request.options;
  const bool has_parameters = request.seed || request.peers || options.rows || options.columns ||
                              options.edge_probability || options.degree || options.radius;
  if (request.family.empty() && has_parameters) {
    throw ConfigError("topology: a file takes no parameters of a family");
  }
  if (!request.family.empty() && !request.nodes) {
    throw ConfigError("topology {}: give --nodes N", request.family);
  }
}

// The seed that is asked for, which only random families take.
std::uint64_t seed_for(const Request& request, bool random, std::uint64_t otherwise) {
  if (request.seed && !random) {
    throw ConfigError("topology {} takes no seed; it is not random", request.family);
  }
  return request.seed.value_or(otherwise);
}

Topology build(const Request& request) {
  if (!request.matrix.empty()) {
    if (request.weights || request.nodes) {
      throw ConfigError(
          "topology: --matrix holds its own nodes and weights; leave out --nodes and "
          "--weights");
    }
    return {request.matrix, "as in the file", read_mixing_matrix(request.matrix)};
  }
  const Weights weights = from_name<Weights>("weights", request.weights.value_or("metropolis"));
  const std::string name(name_of(weights));
  if (!request.edge_list.empty()) {
    const Graph graph = read_edge_list(request.edge_list, request.nodes);
    return {request.edge_list, name, make_mixing(graph, weights)};
  }
  if (request.peers) {
    throw ConfigError("topology {} takes no peers; base_graph does", request.family);
  }
  TopologyOptions options = request.options;
  options.family = request.family;
  options.nodes = *request.nodes;
  options = resolve_topology(options);
  const bool random = find_named(graph_families(), "topology", options.family).random;
  options.seed = seed_for(request, random, options.seed);
  return {describe(options, random), name, make_mixing(make_graph(options), weights)};
}

// What needs one W that holds in every round.
void refuse_for_sequence(const Request& request) {
  const auto refuse = [&](bool is_given, const char* option, const char* why) {
    if (!is_given) return;
    throw ConfigError("topology: {} is for a fixed graph, and the links of {} change: {}", option,
                      request.rounds.empty() ? request.family : request.rounds, why);
  };
  refuse(!request.output.empty(), "--write", "a Matrix Market file holds one W");
  refuse(request.message.has_value(), "--message", "no round takes as long as the others");
  refuse(request.drop.has_value(), "--drop", "p with drops is that of one W");
}

Sequence build_sequence(const Request& request) {
  refuse_for_sequence(request);
  const Weights weights = from_name<Weights>("weights", request.weights.value_or("metropolis"));
  if (!request.rounds.empty()) {
    return {request.rounds, read_link_sequence(request.rounds, request.nodes, weights)};
  }
  const TopologyOptions& given = request.options;
  if (given.rows || given.columns || given.edge_probability || given.degree || given.radius) {
    throw ConfigError(
        "topology {} takes no rows, columns, edge_probability, degree or radius; graphs that are "
        "the same in every round do",
        request.family);
  }
  SequenceOptions options{.family = request.family,
                          .nodes = *request.nodes,
                          .peers = request.peers,
                          .lazy = is_lazy(weights)};
  options = resolve_sequence(options);
  const bool random = find_named(sequence_families(), "sequence", options.family).random;
  options.seed = seed_for(request, random, options.seed);
  return {describe(options, random), make_sequence(options)};
}

// How long a round takes by the model of network/round_time.hpp.
void print_round_times(const Request& request, const MixingMatrix& mixing) {
  RoundTimeOptions links = request.links;
  links.message = static_cast<Bytes>(*request.message);
  links.machines = request.machines.value_or(mixing.nodes());
  if (links.machines > mixing.nodes()) {
    throw ConfigError("--machines {}: there are {} nodes, and a machine has at least one",
                      links.machines, mixing.nodes());
  }
  constexpr std::size_t page = 100;
  fmt::print("{}", wrapped(fmt::format("\nA round over {} machines, {} bytes from a node to a "
                                       "neighbour, {:g} s a local step, links of {:g} Mbit/s and "
                                       "{:g} s latency: K local steps of every node of a machine, "
                                       "then latency and the bytes of its link.\n\n",
                                       links.machines, links.message, links.step,
                                       links.bandwidth * 8e-6, links.latency),
                           0, std::min(page, output_width())));
  std::vector<std::vector<std::string>> rows{
      {"K", "seconds a round", "of it messages", "local steps a second"}};
  for (const Step steps : request.local_steps) {
    const RoundTime time = round_time(mixing, steps, links);
    const double seconds = time.seconds();
    rows.push_back({std::to_string(steps), fmt::format("{:.6g}", seconds),
                    fmt::format("{:.3g} %", seconds > 0 ? 100 * time.exchange / seconds : 0.0),
                    fmt::format("{:.4g}", static_cast<double>(steps) / seconds)});
  }
  fmt::print("{}", aligned(rows, 1, output_width()));
}

// The options of the model; all but the message have a default.
void add_round_time_options(CLI::App& command, Request& request) {
  const std::string group = "How long a round takes, by a model of latency and bandwidth";
  CLI::Option* message =
      add_option(&command, "--message", request.message,
                 "Bytes that a node tells a neighbour in a round, as 174720 or 175kB: numbers of a "
                 "model times the vectors of the method (K-GT 2) times 4 or 8; asks for this table",
                 "SIZE")
          ->transform(takes_bytes())
          ->group(group);
  const auto add = [&](const char* name, auto& value, const char* doc, const char* takes_a) {
    return add_option(&command, name, value, doc, takes_a)->needs(message)->group(group);
  };
  add("--step", request.links.step, "Time of a local step, as 2ms (default 0)", "TIME")
      ->transform(takes_time());
  add("--latency", request.links.latency, "Of a link, as 500us (default 0)", "TIME")
      ->transform(takes_time());
  add("--bandwidth", request.links.bandwidth,
      "Of a machine's link a second, each way, as 20Mbit (default 1Gbit)", "RATE")
      ->transform(takes_rate());
  add("--machines", request.machines,
      "That share the nodes in contiguous blocks (default: as many as nodes)", "N")
      ->check(takes(*find_key("network.nodes")));
  add("--local-steps", request.local_steps, "The K to show (default 1,2,5,10,20,50,100)", "K,...")
      ->delimiter(',')
      ->check(takes(*find_key("algorithm.local_steps")));
}

void add_graph_options(CLI::App* command, Request& request) {
  const auto add = [&](const char* names, auto& value, const std::string& doc, const char* takes_a,
                       std::string_view key) {
    add_option(command, names, value, doc, takes_a)->check(takes(*find_key(key)));
  };
  const auto one_of = [](const auto& table) {
    return fmt::format("One of {}", fmt::join(names_of(table), ", "));
  };
  TopologyOptions& options = request.options;
  add("family", request.family,
      fmt::format("{}; or links that change from round to round: {}", one_of(graph_families()),
                  fmt::join(names_of(sequence_families()), ", ")),
      "NAME", "network.topology");
  add("--nodes,-n", request.nodes, "Number of nodes", "N", "network.nodes");
  add("--rows", options.rows, "torus: rows (default: nearest to square)", "N", "network.rows");
  add("--columns", options.columns, "torus: columns (default: nodes / rows)", "N",
      "network.columns");
  add("--edge-probability", options.edge_probability,
      "erdos_renyi: probability of each edge (default: 2 ln n / n, at most 1)", "NUMBER",
      "network.edge_probability");
  add("--degree", options.degree,
      "random_regular: neighbours of each node (default: 4, or n - 1 if less)", "N",
      "network.degree");
  add("--radius", options.radius,
      "random_geometric: reach in the unit square (default: sqrt(3 ln n / (pi n)))", "NUMBER",
      "network.radius");
  add("--peers", request.peers, "base_graph: most peers of a node in a round (default 1)", "N",
      "network.peers");
  add("--seed", request.seed, "Seed of the random families (default 1)", "N", "network.seed");
  add("--weights", request.weights, one_of(values_of<Weights>) + " (default: metropolis)", "NAME",
      "network.weights");
  add_option(command, "--edges", request.edge_list,
             "Read the graph from a file instead: one edge \"i j\" a line, ids from 0", "FILE");
  add_option(command, "--matrix", request.matrix, "Read W itself from a Matrix Market file instead",
             "FILE");
  add_option(command, "--rounds", request.rounds,
             "Read the links of every round from a CSV file instead: round,a,b or "
             "round,a,b,weight",
             "FILE");
  add("--drop", request.drop,
      "Share of the links that are down in a round: also tell the expected p of such a network",
      "SHARE", "faults.drop");
  add_option(command, "--write", request.output, "Write W to a Matrix Market file", "FILE");
}

}  // namespace

void add_topology_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "topology", "What a graph costs and how fast it mixes: degrees, p, spectral gap, W");
  const auto request = std::make_shared<Request>();
  add_graph_options(command, *request);
  add_round_time_options(*command, *request);
  command->callback([request] {
    check_source(*request);
    if (asks_for_sequence(*request)) {
      const Sequence sequence = build_sequence(*request);
      print_sequence(sequence.title, *sequence.links);
      return;
    }
    const Topology topology = build(*request);
    if (!request->output.empty()) {
      write_asked("--write", request->output,
                  [&] { write_matrix_market(request->output, topology.mixing); });
    }
    print_graph(topology.title, topology.weights, topology.mixing, request->drop);
    if (request->message) print_round_times(*request, topology.mixing);
  });
}

}  // namespace driftless
