// Our side of the comparisons with PyTorch in bench/run: one measurement a call, on MNIST.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <bit>
#include <memory>
#include <string>

#include "bench/measure.hpp"
#include "driftless/algorithm/registry.hpp"
#include "driftless/base/parallel.hpp"
#include "driftless/base/random.hpp"
#include "driftless/data/load.hpp"
#include "driftless/data/split.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/weights.hpp"
#include "driftless/network/local_network.hpp"
#include "driftless/problem/data_problem.hpp"
#include "driftless/problem/nn/cnn.hpp"
#include "driftless/problem/nn/cnn_layers.hpp"

namespace {

using namespace driftless;

struct Options {
  NodeId nodes = 10;
  Step local_steps = 47;
  Round rounds = 3;
  int threads = 1;
};

std::unique_ptr<DataProblem<float>> problem_of(const Options& options) {
  auto data = std::make_shared<const LabelledData>(load_data("mnist"));
  const Dataset& train = data->train;
  return std::make_unique<DataProblem<float>>(
      data, std::make_unique<Cnn>(train),
      make_split(train, options.nodes, {.split = Split::sorted}),
      Batches(128, Sampling::shuffle, options.local_steps), DataProblemOptions{});
}

// Milliseconds of a stochastic gradient with its step, the median of many.
void time_steps() {
  const auto problem = problem_of({.nodes = 1});
  Vector<float> x(problem->dim());
  Vector<float> g(problem->dim());
  problem->start(0, x);
  std::vector<double> times;
  times.reserve(300);
  for (Step k = 0; k < 300; ++k) {
    times.push_back(bench::seconds([&] {
      problem->gradient(0, x, Draw{.seed = 1, .round = k}, g);
      kernel::descend(x.data(), 0.01F, g.data(), x.size());
    }));
  }
  fmt::print("{:.4f}\n", bench::median(times) * 1e3);
}

// Seconds of a round of K-GT, the median.
void time_rounds(const Options& options) {
  const auto problem = problem_of(options);
  LocalNetwork network(
      make_mixing(make_graph({.family = "ring", .nodes = options.nodes}), Weights::metropolis));
  const auto algorithm = make_algorithm<float>(
      "k-gt", *problem, network, {.local_steps = options.local_steps, .local_rate = 0.001});
  algorithm->start(starting_models(*problem, network));
  algorithm->round(0);
  std::vector<double> times;
  for (Round t = 1; t <= options.rounds; ++t) {
    times.push_back(bench::seconds([&] { algorithm->round(t); }));
  }
  fmt::print("{:.4f}\n", bench::median(times));
}

// The peak of memory, in MiB, of K-GT on `nodes` nodes: the data, rounds and the nodes' scores.
void peak_memory(const Options& options) {
  const auto problem = problem_of(options);
  LocalNetwork network(
      make_mixing(make_graph({.family = "ring", .nodes = options.nodes}), Weights::metropolis));
  const auto algorithm =
      make_algorithm<float>("k-gt", *problem, network, {.local_steps = 2, .local_rate = 0.001});
  algorithm->start(starting_models(*problem, network));
  for (Round t = 0; t < options.rounds; ++t) algorithm->round(t);
  network.mean([&](NodeId i) { return problem->test(i, algorithm->models()[i]).accuracy(); });
  fmt::print("{:.1f}\n", bench::memory("VmHWM") / (1 << 20));
}

// Multiply-adds of a step of 128, in millions: without skipping anything, and as they are executed
// on a model that has been trained for a while. Padding of vectors is not counted.
void count_arithmetic() {
  using namespace cnn;
  const auto problem = problem_of({.nodes = 1});
  const LabelledData data = load_data("mnist");
  const Images& images = *data.train.images();
  Vector<float> x(problem->dim());
  Vector<float> g(problem->dim());
  problem->start(0, x);
  for (Step k = 0; k < 300; ++k) {
    problem->gradient(0, x, Draw{.seed = 1, .round = k}, g);
    driftless::kernel::descend(x.data(), 0.05F, g.data(), x.size());
  }
  constexpr int first = channels1 * side1 * side1 * cnn::kernel;
  constexpr int first_back = channels1 * pooled1 * pooled1 * cnn::kernel;
  constexpr int channel = side2 * side2 * channels1 * cnn::kernel;
  constexpr int output = channels1 * cnn::kernel;  // of one live output: once forward or back
  constexpr int dense4 = 3 * hidden * classes;
  constexpr int dense_all = 2 * first + 3 * channels2 * channel + 3 * features * hidden + dense4;

  const auto work = std::make_unique<Workspace>();
  const Layers layer = layers();
  pack_parameters(x.data(), *work);
  double executed = 0;
  constexpr int samples = 1280;
  for (SampleId s = 0; s < samples; ++s) {
    keep_channels(word(Draw{.seed = 1}, Purpose::dropout, static_cast<std::uint64_t>(s)), 2, *work);
    layer.load_image(images[s], static_cast<float>(1 / (255 * images.deviation)),
                     static_cast<float>(-images.mean / images.deviation), *work);
    layer.layer1_forward(x.data(), *work);
    layer.layer2_forward(x.data(), *work);
    executed += first + first_back + work->kept_count * channel +
                work->live_count * (2 * output + 3 * hidden) + dense4;
  }
  constexpr double batch = 128e-6;
  fmt::print("{:.2f} {:.2f}\n", batch * dense_all, batch * executed / samples);
}

}  // namespace

int main(int argc, char** argv) try {
  Options options;
  std::string what;
  CLI::App app("One measurement of the CNN on MNIST");
  app.add_option("what", what, "steps | rounds | memory | arithmetic | peak")->required();
  app.add_option("--nodes", options.nodes);
  app.add_option("--local-steps", options.local_steps);
  app.add_option("--rounds", options.rounds);
  app.add_option("--threads", options.threads);
  CLI11_PARSE(app, argc, argv);

  on_threads(options.threads, [&] {
    if (what == "steps") time_steps();
    if (what == "rounds") time_rounds(options);
    if (what == "memory") peak_memory(options);
    if (what == "arithmetic") count_arithmetic();
    if (what == "peak") fmt::print("{:.2f}\n", bench::peak_multiply_adds() * 1e-9);
  });
} catch (const std::exception& error) {
  fmt::print(stderr, "driftless_cnn_bench: {}\n", error.what());
  return 1;
}
