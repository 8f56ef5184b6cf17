#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "driftless/base/file.hpp"
#include "driftless/base/text.hpp"
#include "driftless/cli/checks.hpp"
#include "driftless/cli/data_options.hpp"
#include "driftless/config/key.hpp"
#include "driftless/data/load.hpp"
#include "driftless/data/split.hpp"
#include "driftless/report/split_plot.hpp"

namespace driftless {
namespace {

struct SplitRequest {
  std::string data;
  std::string label;
  NodeId nodes = 0;
  std::string split = "sorted";
  std::optional<double> alpha;
  std::optional<int> shards;
  std::optional<std::int64_t> seed;
  std::string svg;
};

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
  const Dataset data = load_data(request.data, std::nullopt, {}, {.label = request.label}).train;
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
  add_data_option(command, request->data);
  add_label_option(command, request->label);
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
  add_data_show_command(*data);
  add_split(*data);
}

}  // namespace driftless
