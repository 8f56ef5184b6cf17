#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "driftless/base/file.hpp"
#include "driftless/base/text.hpp"
#include "driftless/cli/checks.hpp"
#include "driftless/config/key.hpp"
#include "driftless/data/load.hpp"
#include "driftless/data/split.hpp"
#include "driftless/report/split_plot.hpp"

namespace driftless {
namespace {

struct ShowRequest {
  std::string data;
  std::optional<std::string> test;
};

struct SplitRequest {
  std::string data;
  NodeId nodes = 0;
  std::string split = "sorted";
  std::optional<double> alpha;
  std::optional<int> shards;
  std::optional<std::int64_t> seed;
  std::string svg;
};

std::string inputs_of(const Dataset& data) {
  if (const Images* images = data.images()) {
    return fmt::format("{}, grey images of {} x {}", data.features, images->rows, images->columns);
  }
  const auto entries = static_cast<double>(std::get<SparseRows>(data.inputs).values.size());
  return fmt::format("{}, of which a sample has {:.4g} on average", data.features,
                     entries / data.samples());
}

std::vector<std::int64_t> class_sizes(const Dataset& data) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(data.classes()));
  for (const std::int32_t label : data.labels) ++sizes[label];
  return sizes;
}

void show(const ShowRequest& request) {
  const LabelledData data = load_data(request.data, request.test);
  const Dataset& train = data.train;
  print_line("data", request.data);
  print_line("training", fmt::format("{} samples", train.samples()));
  print_line("test", data.test ? fmt::format("{} samples", data.test->samples()) : "none");
  print_line("features", inputs_of(train));
  if (const Images* images = train.images()) {
    print_line("mean", fmt::format("{:.4f}", images->mean));
    print_line("deviation", fmt::format("{:.4f}", images->deviation));
  }
  print_line("classes", std::to_string(train.classes()));
  fmt::print("\n");

  std::vector<std::vector<std::string>> rows{{"class", "training"}};
  if (data.test) rows[0].emplace_back("test");
  const auto sizes = class_sizes(train);
  const auto test_sizes = data.test ? class_sizes(*data.test) : sizes;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    rows.push_back({train.class_names[k], std::to_string(sizes[k])});
    if (data.test) rows.back().push_back(std::to_string(test_sizes[k]));
  }
  fmt::print("{}", aligned(rows, 1, output_width()));
}

SplitOptions split_options(const SplitRequest& request) {
  SplitOptions options{.split = from_name<Split>("split", request.split)};
  const auto refuse = [&](const char* option, const char* owner) {
    throw ConfigError("data split: {} is an option of --split {}, not of {}", option, owner,
                      request.split);
  };
  if (request.alpha && options.split != Split::dirichlet) refuse("--alpha", "dirichlet");
  if (request.shards && options.split != Split::shards) refuse("--shards", "shards");
  if (request.seed && options.split == Split::sorted) {
    throw ConfigError("data split: --split sorted takes no --seed; it is not random");
  }
  options.alpha = request.alpha.value_or(options.alpha);
  options.shards = request.shards.value_or(options.shards);
  if (request.seed) options.seed = static_cast<std::uint64_t>(*request.seed);
  return options;
}

// "mnist over 10 nodes, dirichlet, alpha 0.1, seed 1"
std::string title_of(const SplitRequest& request, const SplitOptions& options) {
  std::string title =
      fmt::format("{} over {} nodes, {}", request.data, request.nodes, name_of(options.split));
  if (options.split == Split::dirichlet) title += fmt::format(", alpha {}", options.alpha);
  if (options.split == Split::shards) title += fmt::format(", {} shards a node", options.shards);
  if (options.split != Split::sorted) title += fmt::format(", seed {}", options.seed);
  return title;
}

// A dot stands for none, so that the pattern shows.
std::string cell(std::int64_t count) { return count == 0 ? "." : std::to_string(count); }

void print_counts(const Dataset& data, const SplitCounts& counts) {
  std::vector<std::vector<std::string>> rows{{"node"}};
  for (const std::string& name : data.class_names) rows[0].push_back(name);
  rows[0].emplace_back("all");
  const auto add_row = [&](std::string name, const std::vector<std::int64_t>& sizes) {
    auto& row = rows.emplace_back(std::vector{std::move(name)});
    std::ranges::transform(sizes, std::back_inserter(row), cell);
    row.push_back(std::to_string(std::reduce(sizes.begin(), sizes.end())));
  };
  for (std::size_t i = 0; i < counts.size(); ++i) add_row(std::to_string(i), counts[i]);
  add_row("all", class_sizes(data));
  fmt::print("{}", aligned(rows, 1, output_width()));
}

void split(const SplitRequest& request) {
  const SplitOptions options = split_options(request);
  const Dataset data = load_data(request.data).train;
  const SplitCounts counts = count_classes(data, make_split(data, request.nodes, options));
  const std::string title = title_of(request, options);
  if (!request.svg.empty()) {
    write_asked("--svg", request.svg, [&] {
      write_file_atomically(request.svg, split_plot(title, data.class_names, counts));
    });
  }
  fmt::print("{}\n\n", title);
  print_counts(data, counts);
}

void add_data(CLI::App* command, std::string& data) {
  add_option(command, "data", data, "mnist, a folder of IDX files, or a LIBSVM file", "DATA")
      ->required();
}

void add_show(CLI::App& data) {
  CLI::App* command = data.add_subcommand("show", "What is there: samples, features, classes");
  const auto request = std::make_shared<ShowRequest>();
  add_data(command, request->data);
  add_option(command, "--test", request->test, "the LIBSVM file of the test samples", "FILE");
  command->footer("Example: driftless data show mnist");
  command->callback([request] { show(*request); });
}

std::string described_splits() {
  std::string text;
  for (const auto& [split, name, description] : values_of<Split>)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", name, description);
  return text;
}

void add_split(CLI::App& data) {
  CLI::App* command =
      data.add_subcommand("split", "How the training samples would be split over nodes");
  const auto request = std::make_shared<SplitRequest>();
  add_data(command, request->data);
  const auto add = [&](const char* names, auto& value, const std::string& doc, const char* takes_a,
                       std::string_view key) {
    return add_option(command, names, value, doc, takes_a)->check(takes(*find_key(key)));
  };
  add("--nodes,-n", request->nodes, "Number of nodes", "N", "network.nodes")->required();
  add("--split", request->split, described_splits() + " (default: sorted)", "NAME",
      "problem.split");
  add("--alpha", request->alpha, "dirichlet: the smaller, the more unequal (default: 0.1)",
      "NUMBER", "problem.alpha");
  add("--shards", request->shards, "shards: pieces of each node (default: 2)", "N",
      "problem.shards");
  add("--seed", request->seed, "Seed of all splits but sorted (default: 1)", "N", "run.seed");
  add_option(command, "--svg", request->svg, "Write a picture of it, a dot for each class and node",
             "FILE");
  command->footer(
      "Example: driftless data split mnist --nodes 10 --split dirichlet --alpha 0.1 --svg "
      "split.svg");
  command->callback([request] { split(*request); });
}

}  // namespace

void add_data_command(CLI::App& app, int& exit_code) {
  CLI::App* data =
      app.add_subcommand("data", "Data sets: fetch one, see what is there, see how it splits");
  data->require_subcommand(1);
  add_data_fetch_command(*data, exit_code);
  add_show(*data);
  add_split(*data);
}

}  // namespace driftless
