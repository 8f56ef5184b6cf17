// Our side of the comparisons in bench/run: prints one measurement a call, so that a script can
// take turns with other programs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string>

#include "bench/measure.hpp"
#include "driftless/algorithm/registry.hpp"
#include "driftless/base/parallel.hpp"
#include "driftless/data/csv.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/sequence_families.hpp"
#include "driftless/graph/weights.hpp"
#include "driftless/network/local_network.hpp"
#include "driftless/problem/least_squares.hpp"

namespace {

using namespace driftless;
using bench::median;
using bench::memory;
using bench::seconds;

struct Options {
  std::string algorithm = "k-gt";
  std::string topology = "ring";
  NodeId nodes = 10;
  Index dim = 50;
  Step local_steps = 20;
  Round rounds = 250;
  double noise = 1.0;
  double drop = 0.2;
  int threads = 1;
  std::string file;
};

LocalNetwork network_of(const Options& options) {
  return LocalNetwork(make_mixing(make_graph({.family = options.topology, .nodes = options.nodes}),
                                  Weights::metropolis));
}

// Nanoseconds a node and local step, over whole rounds.
void time_rounds(const Options& options) {
  LocalNetwork network = network_of(options);
  const auto problem = make_synthetic_least_squares<double>(
      {.nodes = options.nodes, .dim = options.dim, .noise = options.noise});
  const double smoothness = *problem->smoothness();
  const auto algorithm = make_algorithm<double>(
      options.algorithm, *problem, network,
      {.local_steps = options.local_steps, .local_rate = 0.5 / (options.local_steps * smoothness)});
  algorithm->start(starting_models(*problem, network));
  algorithm->round(0);
  const double elapsed = seconds([&] {
    for (Round t = 1; t <= options.rounds; ++t) algorithm->round(t);
  });
  const double steps = static_cast<double>(options.rounds) * options.nodes * options.local_steps;
  fmt::print("{:.3f}\n", elapsed / steps * 1e9);
}

// Peak memory of a run beyond the idle program, over the bytes of the algorithm's named state and
// z.
void peak_memory(const Options& options) {
  const double idle = memory("VmRSS");
  LocalNetwork network = network_of(options);
  const auto problem = make_synthetic_least_squares<double>(
      {.nodes = options.nodes, .dim = options.dim, .noise = options.noise});
  const auto algorithm = make_algorithm<double>(options.algorithm, *problem, network,
                                                {.local_steps = 2, .local_rate = 1e-6});
  algorithm->start(starting_models(*problem, network));
  for (Round t = 0; t < 5; ++t) algorithm->round(t);
  constexpr double own_rows = 3;  // K-GT's x, c and z
  const double own = own_rows * options.nodes * static_cast<double>(options.dim) * sizeof(double);
  fmt::print("{:.3f}\n", (memory("VmHWM") - idle) / own);
}

// Bandwidth of mixing one set of rows, read once and written once, over that of a copy of the same
// size; taken in turns, medians.
void mix_bandwidth(const Options& options) {
  LocalNetwork network = network_of(options);
  Rows<double> rows(network.hosted(), options.dim);
  Rows<double> other(network.hosted(), options.dim);
  network.for_each_node([&](NodeId i) { rows[i].setConstant(1.0 + i), other[i].setOnes(); });
  const std::size_t bytes = sizeof(double) * static_cast<std::size_t>(options.nodes * options.dim);
  std::vector<double> mixes, copies;
  for (Round k = 0; k < options.rounds; ++k) {
    copies.push_back(seconds([&] { std::memcpy(other.row(0), rows.row(0), bytes); }));
    mixes.push_back(seconds([&] { network.mix({&rows}); }));
  }
  const double moved = 2e-9 * static_cast<double>(bytes);
  fmt::print("{:.3f} {:.3f}\n", moved / median(mixes), moved / median(copies));
}

// Goes from round to round of a network and mixes one set of rows in each.
class Walk {
 public:
  Walk(Conditions conditions, Index dim)
      : network_(std::move(conditions)), rows_(network_.hosted(), dim) {
    network_.for_each_node([&](NodeId i) { rows_[i].setConstant(1.0 + i); });
    network_.start(rows_);
  }
  void step() {
    rounds.push_back(1e3 * seconds([&] { network_.begin_round(round_++, rows_, nobody_); }));
    mixes.push_back(1e3 * seconds([&] { network_.mix({&rows_}); }));
  }

  std::vector<double> rounds, mixes;  // milliseconds

 private:
  LocalNetwork network_;
  Rows<double> rows_;
  Member<double> nobody_;
  Round round_ = 0;
};

// Milliseconds of a mix over all links, of one where so many are down, and of finding out which; in
// turns, medians.
void mix_in_weather(const Options& options) {
  const auto links = [&] {
    return make_fixed(make_mixing(make_graph({.family = options.topology, .nodes = options.nodes}),
                                  Weights::metropolis));
  };
  Walk fair({.links = links()}, options.dim);
  Walk drops({.links = links(), .faults = {.drop = options.drop}}, options.dim);
  for (Round k = 0; k < options.rounds; ++k) {
    fair.step();
    drops.step();
  }
  fmt::print("{:.4f} {:.4f} {:.4f}\n", median(fair.mixes), median(drops.mixes),
             median(drops.rounds));
}

// Milliseconds of a mix over the links of a sequence, and of finding out which these are.
void mix_over_sequence(const Options& options) {
  Walk walk({.links = make_sequence({.family = options.topology, .nodes = options.nodes})},
            options.dim);
  for (Round k = 0; k < options.rounds; ++k) walk.step();
  fmt::print("{:.4f} {:.4f}\n", median(walk.mixes), median(walk.rounds));
}

// Megabytes of a table read in a second of processor time, that of the system included. The column
// to learn is `c0`.
void read_table(const Options& options) {
  const std::clock_t begin = std::clock();
  const Dataset data = read_csv(options.file, {.label_type = LabelType::numbers, .label = "c0"});
  const double spent = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  fmt::print("{:.1f}\n",
             1e-6 * static_cast<double>(std::filesystem::file_size(options.file)) / spent);
}

}  // namespace

int main(int argc, char** argv) try {
  Options options;
  std::string what;
  CLI::App app("One measurement of Driftless");
  app.add_option("what", what, "rounds | memory | mix | weather | sequence | csv")->required();
  app.add_option("--algorithm", options.algorithm);
  app.add_option("--topology", options.topology);
  app.add_option("--nodes", options.nodes);
  app.add_option("--dim", options.dim);
  app.add_option("--local-steps", options.local_steps);
  app.add_option("--rounds", options.rounds);
  app.add_option("--noise", options.noise);
  app.add_option("--drop", options.drop);
  app.add_option("--threads", options.threads);
  app.add_option("--file", options.file);
  CLI11_PARSE(app, argc, argv);

  on_threads(options.threads, [&] {
    if (what == "rounds") time_rounds(options);
    if (what == "memory") peak_memory(options);
    if (what == "mix") mix_bandwidth(options);
    if (what == "weather") mix_in_weather(options);
    if (what == "sequence") mix_over_sequence(options);
    if (what == "csv") read_table(options);
  });
} catch (const std::exception& error) {
  fmt::print(stderr, "driftless_bench: {}\n", error.what());
  return 1;
}
