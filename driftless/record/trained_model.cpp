#include "driftless/record/trained_model.hpp"

#include <algorithm>
#include <numeric>

#include "driftless/base/error.hpp"
#include "driftless/base/parallel.hpp"
#include "driftless/base/regular_file.hpp"
#include "driftless/data/npy.hpp"
#include "driftless/problem/models.hpp"
#include "driftless/problem/standardise.hpp"
#include "driftless/record/model_file.hpp"
#include "driftless/record/outputs.hpp"
#include "driftless/record/summary_file.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

NpyArray read_array(const fs::path& file) { return parse_npy(read_file(file), file.string()); }

void check_run(const fs::path& run) {
  const nlohmann::json summary = read_summary(run);
  if (summary.is_null()) {
    throw DataError("{}: holds no run that has ended", run.string());
  }
  if (summary.contains("runs") && !summary["runs"].empty()) {
    throw DataError("{}: holds several runs; name one of them, such as {}", run.string(),
                    (run / summary["runs"].front().value("folder", "rep-1")).string());
  }
  if (!fs::exists(run / "model.json")) {
    throw DataError("{}: its model was not learnt from samples, or by an earlier version",
                    run.string());
  }
  check_outputs(run, summary, Look::all);
}

}  // namespace

TrainedModel read_trained_model(const fs::path& run, std::optional<NodeId> node) {
  check_run(run);
  TrainedModel model{.card = read_model_card(run / "model.json"), .parameters = {}};
  const fs::path file = run / (node ? "nodes.npy" : "model.npy");
  const NpyArray array = read_array(file);
  const Index dim =
      std::visit([](const auto& held) { return held->dim(); }, make_model(model.card));
  const auto rows = static_cast<NodeId>(node ? array.rows() : 1);
  if (std::ssize(array.numbers) != dim * rows) {
    throw DataError("{}: has {} numbers, expected {} for the model in model.json", file.string(),
                    array.numbers.size(), dim * rows);
  }
  if (node && *node >= rows) {
    throw ConfigError("node {}: {} has {} nodes, from 0 to {}", *node, run.string(), rows,
                      rows - 1);
  }
  model.parameters =
      Eigen::Map<const Vector<double>>(array.numbers.data() + node.value_or(0) * dim, dim);
  return model;
}

Predictions predict(const TrainedModel& model, Dataset data) {
  if (model.card.standardised) standardise(data, *model.card.standardised);
  return std::visit(
      [&]<class Real>(const std::shared_ptr<const Model<Real>>& held) {
        const Vector<Real> x = model.parameters.cast<Real>();
        Predictions found{.outputs = held->outputs()};
        found.values.resize(static_cast<std::size_t>(data.samples() * found.outputs));
        constexpr SampleId piece = 500;
        parallel((data.samples() + piece - 1) / piece, [&](Index k) {
          const auto begin = static_cast<SampleId>(k) * piece;
          std::vector<SampleId> samples(
              static_cast<std::size_t>(std::min(piece, data.samples() - begin)));
          std::iota(samples.begin(), samples.end(), begin);
          held->predict(data, samples, x, found.values.data() + begin * found.outputs);
        });
        return found;
      },
      make_model(model.card));
}

}  // namespace driftless
