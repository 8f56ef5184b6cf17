#include "driftless/cli/print_mixing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "driftless/cli/commands.hpp"
#include "driftless/graph/sequence_mixing.hpp"
#include "driftless/graph/spectrum.hpp"

namespace driftless {
namespace {

constexpr Round rounds_drawn = 100;  // that stand for all, where links are drawn anew every round

// The consensus distance shrinks to 1 − p of it in so many rounds.
std::string rounds_to_halve(double p, Round rounds = 1) {
  if (p >= 1 - 1e-12) {
    return rounds == 1 ? "1: one round reaches consensus"
                       : fmt::format("{}: a period reaches consensus", rounds);
  }
  if (p <= 0) return "never";
  const double periods = -std::numbers::ln2 / std::log1p(-p);
  return fmt::format("{:.4g}", std::max(1.0, static_cast<double>(rounds) * periods));
}

void print_p_with_drops(const MixingMatrix& mixing, double drop) {
  const double p = expected_p(mixing, drop);
  print_line(
      "p with drops",
      fmt::format("{:.6g} in expectation, each link down in {:g} % of the rounds", p, 100 * drop));
  print_line("to halve then", rounds_to_halve(p));
}

// "min 2, mean 3.5, max 5"
std::string links_a_round(const LinkSequence& sequence, Round rounds) {
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  std::size_t most = 0;
  double all = 0;
  WeightRows rows;
  for (Round t = 0; t < rounds; ++t) {
    sequence.links(t, rows);
    const std::size_t links = (rows.nodes.size() - static_cast<std::size_t>(rows.size())) / 2;
    fewest = std::min(fewest, links);
    most = std::max(most, links);
    all += static_cast<double>(links);
  }
  return fmt::format("min {}, mean {:.6g}, max {}", fewest, all / static_cast<double>(rounds),
                     most);
}

// p of a period, and that of a round which comes to the same.
std::string p_of_period(const PeriodMixing& mixing) {
  if (mixing.rounds == 1) return fmt::format("{:.6g}", mixing.p);
  if (mixing.p == 1) return "1 over a period, which gives the exact average";
  const double a_round = -std::expm1(std::log1p(-mixing.p) / static_cast<double>(mixing.rounds));
  return fmt::format("{}{:.6g} over a period, {:.6g} a round on average",
                     mixing.p_is_bound ? "at most " : "", mixing.p, a_round);
}

}  // namespace

void print_graph(const std::string& title, const std::string& weights, const MixingMatrix& mixing,
                 std::optional<double> drop) {
  const Spectrum rate = spectrum(mixing);
  NodeId busiest = 0;
  NodeId lowest = mixing.degree(0);
  for (NodeId i = 1; i < mixing.nodes(); ++i) {
    if (mixing.degree(i) > mixing.degree(busiest)) busiest = i;
    lowest = std::min(lowest, mixing.degree(i));
  }
  const double mean = 2.0 * static_cast<double>(mixing.edges()) / mixing.nodes();

  print_line("topology", title);
  print_line("nodes", std::to_string(mixing.nodes()));
  print_line("edges", std::to_string(mixing.edges()));
  print_line("degree",
             fmt::format("min {}, mean {:.4g}, max {}", lowest, mean, mixing.degree(busiest)));
  print_line("weights", weights);
  print_line("λ2", fmt::format("{:.10g}", rate.lambda2));
  print_line("λn", fmt::format("{:.10g}", rate.lambda_min));
  print_line("spectral gap", fmt::format("{:.6g}", rate.gap));
  print_line("p", fmt::format("{:.6g}", rate.p));
  print_line(
      "busiest node",
      fmt::format("{}: {} neighbours, {} vectors sent and received a round for each mixed vector",
                  busiest, mixing.degree(busiest), 2 * mixing.degree(busiest)));
  print_line("rounds to halve", rounds_to_halve(rate.p));
  if (drop) print_p_with_drops(mixing, *drop);
  if (rate.p == 0) {
    print_wrapped("\nwarning: p = 0: nodes only swap and never agree; mix with (I + W) / 2\n");
  } else if (rate.lambda_min < -1.0 / 3 - 1e-7) {
    print_wrapped("\nwarning: λn < -1/3: d2 and led need lazy = true on this network\n");
  } else if (rate.lambda_min < -1.0 / 3 + 1e-7) {
    print_wrapped(
        "\nnote: λn = -1/3 is as low as d2 and led can bear; lazy = true gives them room\n");
  }
}

void print_sequence(const std::string& title, const LinkSequence& sequence) {
  const Round period = sequence.period();
  const bool drawn = period == 0;
  const PeriodMixing mixing = period_mixing(sequence);
  print_line("topology", title);
  print_line("nodes", std::to_string(sequence.nodes()));
  print_line("period", drawn ? "none: links are drawn anew every round"
                             : fmt::format("{} round{}", period, period == 1 ? "" : "s"));
  print_line("links a round", links_a_round(sequence, drawn ? rounds_drawn : period));
  print_line("most peers", fmt::format("{} of a node in a round", sequence.most_peers()));
  print_line("p", drawn ? fmt::format("{:.6g} in expectation", mixing.p) : p_of_period(mixing));
  print_line("rounds to halve",
             (mixing.p_is_bound ? "at least " : "") + rounds_to_halve(mixing.p, mixing.rounds));
  if (const std::optional<NodeId> node = never_reached(sequence)) {
    print_wrapped(fmt::format(
        "\nwarning: no links of any round lead from node 0 to node {}: they never agree\n", *node));
  } else if (mixing.p == 0) {
    print_wrapped("\nwarning: p = 0: nodes only swap and never agree; mix with (I + W) / 2\n");
  }
}

}  // namespace driftless
