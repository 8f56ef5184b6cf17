#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

#include "driftless/cli/data_options.hpp"
#include "driftless/data/format.hpp"
#include "driftless/data/load.hpp"
#include "driftless/problem/standardise.hpp"

namespace driftless {
namespace {

struct ShowRequest {
  std::string data;
  std::optional<std::string> test;
  ReadOptions options;
};

std::string inputs_of(const Dataset& data) {
  if (const Images* images = data.images()) {
    return fmt::format("{}, grey images of {} x {}", data.features, images->rows, images->columns);
  }
  const auto* sparse = std::get_if<SparseRows>(&data.inputs);
  if (sparse == nullptr) return fmt::format("{}, a table", data.features);
  return fmt::format("{}, of which a sample has {:.4g} on average", data.features,
                     static_cast<double>(sparse->values.size()) / data.samples());
}

// A CSV may be looked at before one knows what is to be learnt. What is no classes may be numbers.
LabelledData load_shown(const ShowRequest& request) {
  ReadOptions options = request.options;
  const auto load = [&] { return load_data(request.data, request.test, {}, options); };
  const bool any_column = options.label.empty() && request.data != "mnist" &&
                          format_of(request.data) == DataFormat::csv;
  if (any_column) options.label_type = LabelType::none;
  LabelledData data;
  const std::string no_classes = fault_in([&] { data = load(); });
  if (no_classes.empty()) return data;
  if (any_column) throw DataError("{}; --label names the column to learn", no_classes);
  options.label_type = LabelType::numbers;
  const std::string no_numbers = fault_in([&] { data = load(); });
  if (no_numbers.empty()) return data;
  throw DataError("{}", no_classes);
}

// One line a column.
void print_columns(const Dataset& data) {
  constexpr Index most = 60;
  const Standardisation figures = standardisation_of(data, {every_sample(data)}, Processes());
  const auto& values = std::get<DenseRows>(data.inputs).values;
  std::vector<std::vector<std::string>> rows{{"feature", "mean", "deviation", "least", "greatest"}};
  for (Index k = 0; k < std::min(data.features, most); ++k) {
    const auto column = static_cast<std::size_t>(k);
    double least = values[column];
    double greatest = least;
    for (std::size_t at = column; at < values.size();
         at += static_cast<std::size_t>(data.features)) {
      least = std::min(least, values[at]);
      greatest = std::max(greatest, values[at]);
    }
    const auto text = [](double value) { return fmt::format("{:.6g}", value); };
    rows.push_back({data.feature_names.empty() ? std::to_string(k) : data.feature_names[column],
                    text(figures.mean[column]),
                    text(least == greatest ? 0 : figures.deviation[column]), text(least),
                    text(greatest)});
  }
  fmt::print("\n{}", aligned(rows, 1, output_width()));
  if (data.features > most) fmt::print("and {} more\n", data.features - most);
}

void print_classes(const LabelledData& data) {
  constexpr std::size_t most = 100;
  std::vector<std::vector<std::string>> rows{{"class", "training"}};
  if (data.test) rows[0].emplace_back("test");
  const auto sizes = class_sizes(data.train);
  const auto test_sizes = data.test ? class_sizes(*data.test) : sizes;
  for (std::size_t k = 0; k < std::min(sizes.size(), most); ++k) {
    rows.push_back({data.train.class_names[k], std::to_string(sizes[k])});
    if (data.test) rows.back().push_back(std::to_string(test_sizes[k]));
  }
  fmt::print("\n{}", aligned(rows, 1, output_width()));
  if (sizes.size() > most) fmt::print("and {} more\n", sizes.size() - most);
}

std::string targets_of(const Dataset& data) {
  const auto [least, greatest] = std::ranges::minmax(data.targets);
  const double mean =
      std::accumulate(data.targets.begin(), data.targets.end(), 0.0) / data.samples();
  return fmt::format("numbers from {:.6g} to {:.6g}, {:.6g} on average", least, greatest, mean);
}

void show(const ShowRequest& request) {
  const LabelledData data = load_shown(request);
  const Dataset& train = data.train;
  print_line("data", request.data);
  print_line("training", fmt::format("{} samples", train.samples()));
  print_line("test", data.test ? fmt::format("{} samples", data.test->samples()) : "none");
  print_line("features", inputs_of(train));
  if (const Images* images = train.images()) {
    print_line("mean", fmt::format("{:.4f}", images->mean));
    print_line("deviation", fmt::format("{:.4f}", images->deviation));
  }
  if (!train.class_names.empty()) print_line("classes", std::to_string(train.classes()));
  if (!train.targets.empty()) print_line("learnt", targets_of(train));
  if (train.unlabelled > 0) print_line("learnt", "not told; --label names the column to learn");
  if (std::holds_alternative<DenseRows>(train.inputs)) print_columns(train);
  if (!train.class_names.empty()) print_classes(data);
}

}  // namespace

void add_data_show_command(CLI::App& data) {
  CLI::App* command =
      data.add_subcommand("show", "What is there: samples, features, classes or numbers");
  const auto request = std::make_shared<ShowRequest>();
  add_data_option(command, request->data);
  add_label_option(command, request->options.label);
  add_option(command, "--delimiter", request->options.delimiter,
             "between the fields of a CSV (default: ,)", "CHARACTER");
  add_option(command, "--ignore", request->options.ignore, "columns of a CSV that are no features",
             "NAME")
      ->allow_extra_args(false);
  add_option(command, "--test", request->test, "the file of the test samples", "FILE");
  command->footer("Example: driftless data show site-0.csv --label risk");
  command->callback([request] { show(*request); });
}

}  // namespace driftless
