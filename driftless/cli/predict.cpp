#include <algorithm>
#include <cmath>
#include <memory>

#include "driftless/base/file.hpp"
#include "driftless/cli/checks.hpp"
#include "driftless/data/load.hpp"
#include "driftless/problem/quality.hpp"
#include "driftless/record/csv.hpp"
#include "driftless/record/trained_model.hpp"

namespace driftless {
namespace {

struct PredictRequest {
  std::filesystem::path run;
  std::filesystem::path data;
  std::filesystem::path out;
  std::optional<NodeId> node;
  char delimiter = ',';
  bool score = false;
};

std::string number_text(double value) { return fmt::format("{}", value); }

// A line a sample: the class that is likeliest and how likely each is, or the number.
std::string lines_of(const ModelCard& card, const Predictions& found) {
  const std::vector<std::string>& classes = card.shape.class_names;
  std::vector<std::string> fields{"prediction"};
  for (const std::string& name : classes) fields.push_back("p_" + name);
  std::string lines = csv_line(fields);
  const auto outputs = static_cast<std::size_t>(found.outputs);
  for (std::size_t begin = 0; begin < found.values.size(); begin += outputs) {
    const auto row = std::span(found.values).subspan(begin, outputs);
    const auto likeliest = static_cast<std::size_t>(std::ranges::max_element(row) - row.begin());
    fields = {classes.empty() ? number_text(row.front()) : classes[likeliest]};
    if (!classes.empty()) std::ranges::transform(row, std::back_inserter(fields), number_text);
    lines += csv_line(fields);
  }
  return lines;
}

// How right the predictions are, where the data have what is foretold.
void tell_score(const Dataset& data, const Predictions& found) {
  if (data.targets.empty()) {
    const ClassQuality quality = quality_of(data.labels, data.classes(), found.values);
    std::int64_t right = 0;
    for (const std::int64_t count : quality.classes.right) right += count;
    const double accuracy = static_cast<double>(right) / static_cast<double>(data.samples());
    say("driftless: accuracy {:.4f} on {} samples\n", accuracy, data.samples());
    if (!std::isnan(quality.area)) say("driftless: area under the curve {:.4f}\n", quality.area);
    return;
  }
  double squares = 0;
  for (std::size_t s = 0; s < data.targets.size(); ++s) {
    squares += (found.values[s] - data.targets[s]) * (found.values[s] - data.targets[s]);
  }
  say("driftless: mean squared error {:.4g}, R² {:.4f} on {} samples\n", squares / data.samples(),
      r_squared(squares, data.targets), data.samples());
}

void predict_command(const PredictRequest& request) {
  const TrainedModel model = read_trained_model(request.run, request.node);
  const bool classes = !model.card.shape.class_names.empty();
  const LabelType scored = classes ? LabelType::classes : LabelType::numbers;
  const ReadOptions options{.label_type = request.score ? scored : LabelType::none,
                            .label = model.card.label,
                            .delimiter = request.delimiter,
                            .by_name = true};
  const Dataset data = read_dataset(request.data, options, &model.card.shape);
  const Predictions found = predict(model, data);
  const std::string lines = lines_of(model.card, found);
  if (request.out.empty()) {
    fmt::print("{}", lines);
  } else {
    write_asked("-o", request.out.string(), [&] { write_file_atomically(request.out, lines); });
  }
  if (request.score) tell_score(data, found);
}

}  // namespace

void add_predict_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("predict", "What the model of a run says of new samples, as CSV");
  const auto request = std::make_shared<PredictRequest>();
  add_option(command, "run", request->run, "the folder of a run that has ended", "RUN")->required();
  add_option(command, "--data", request->data,
             "the samples: CSV with the columns that the model knows, in any order, or a file of "
             "the other formats",
             "FILE")
      ->required();
  add_option(command, "--output,-o", request->out, "where the lines go (default: standard output)",
             "FILE");
  add_option(command, "--node", request->node, "the model of this node instead of the average one",
             "N")
      ->check(takes_integer(0, 1e7));
  add_option(command, "--delimiter", request->delimiter, "between the fields of a CSV (default: ,)",
             "CHARACTER");
  command->add_flag("--score", request->score,
                    "the data have labels, or targets: tell how right the model is");
  command->footer("Example: driftless predict runs/sites --data new.csv -o predictions.csv");
  command->callback([request] { predict_command(*request); });
}

}  // namespace driftless
