#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <vector>

#include "driftless/base/layout.hpp"
#include "driftless/cli/checks.hpp"
#include "driftless/config/key.hpp"
#include "driftless/graph/edge_list.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/matrix_market.hpp"
#include "driftless/graph/spectrum.hpp"
#include "driftless/graph/weights.hpp"
#include "driftless/network/round_time.hpp"

namespace driftless {
namespace {

struct Request {
  std::string family;
  std::optional<NodeId> nodes;
  TopologyOptions options;  // but family, nodes and seed, which may be left out
  std::optional<std::int64_t> seed;
  std::optional<std::string> weights;
  std::string edge_list;
  std::string matrix;
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

Topology build(const Request& request) {
  const std::array sources{request.family, request.edge_list, request.matrix};
  if (std::ranges::count(sources, "") != 2) {
    throw ConfigError("topology: give one of a family, --edges FILE and --matrix FILE");
  }
  TopologyOptions options = request.options;
  const bool has_parameters = request.seed || options.rows || options.columns ||
                              options.edge_probability || options.degree || options.radius;
  if (request.family.empty() && has_parameters) {
    throw ConfigError("topology: a file takes no parameters of a family");
  }
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
  options.family = request.family;
  if (!request.nodes) throw ConfigError("topology {}: give --nodes N", request.family);
  options.nodes = *request.nodes;
  options = resolve_topology(options);
  const bool random =
      std::ranges::find(graph_families(), options.family, &GraphFamily::name)->random;
  if (request.seed && !random) {
    throw ConfigError("topology {} takes no seed; it is not random", options.family);
  }
  options.seed = request.seed.value_or(options.seed);
  return {describe(options, random), name, make_mixing(make_graph(options), weights)};
}

// The consensus distance shrinks to 1 − p of it in a round.
std::string rounds_to_halve(double p) {
  if (p >= 1 - 1e-12) return "1: one round reaches consensus";
  if (p <= 0) return "never";
  return fmt::format("{:.4g}", std::max(1.0, -std::numbers::ln2 / std::log1p(-p)));
}

void print(const Topology& topology) {
  const MixingMatrix& mixing = topology.mixing;
  const Spectrum rate = spectrum(mixing);
  NodeId busiest = 0;
  NodeId lowest = mixing.degree(0);
  for (NodeId i = 1; i < mixing.nodes(); ++i) {
    if (mixing.degree(i) > mixing.degree(busiest)) busiest = i;
    lowest = std::min(lowest, mixing.degree(i));
  }
  const double mean = 2.0 * static_cast<double>(mixing.edges()) / mixing.nodes();

  print_line("topology", topology.title);
  print_line("nodes", std::to_string(mixing.nodes()));
  print_line("edges", std::to_string(mixing.edges()));
  print_line("degree",
             fmt::format("min {}, mean {:.4g}, max {}", lowest, mean, mixing.degree(busiest)));
  print_line("weights", topology.weights);
  print_line("λ2", fmt::format("{:.10g}", rate.lambda2));
  print_line("λn", fmt::format("{:.10g}", rate.lambda_min));
  print_line("spectral gap", fmt::format("{:.6g}", rate.gap));
  print_line("p", fmt::format("{:.6g}", rate.p));
  print_line(
      "busiest node",
      fmt::format("{}: {} neighbours, {} vectors sent and received a round for each mixed vector",
                  busiest, mixing.degree(busiest), 2 * mixing.degree(busiest)));
  print_line("rounds to halve", rounds_to_halve(rate.p));
  if (rate.p == 0) {
    print_wrapped("\nwarning: p = 0: nodes only swap and never agree; mix with (I + W) / 2\n");
  } else if (rate.lambda_min < -1.0 / 3 - 1e-7) {
    print_wrapped("\nwarning: λn < -1/3: d2 and led need lazy = true on this network\n");
  } else if (rate.lambda_min < -1.0 / 3 + 1e-7) {
    print_wrapped(
        "\nnote: λn = -1/3 is as low as d2 and led can bear; lazy = true gives them room\n");
  }
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
  add("family", request.family, one_of(graph_families()), "NAME", "network.topology");
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
  add("--seed", request.seed, "Seed of the random families (default 1)", "N", "network.seed");
  add("--weights", request.weights, one_of(values_of<Weights>) + " (default: metropolis)", "NAME",
      "network.weights");
  add_option(command, "--edges", request.edge_list,
             "Read the graph from a file instead: one edge \"i j\" a line, ids from 0", "FILE");
  add_option(command, "--matrix", request.matrix, "Read W itself from a Matrix Market file instead",
             "FILE");
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
    const Topology topology = build(*request);
    if (!request->output.empty()) {
      write_asked("--write", request->output,
                  [&] { write_matrix_market(request->output, topology.mixing); });
    }
    print(topology);
    if (request->message) print_round_times(*request, topology.mixing);
  });
}

}  // namespace driftless
