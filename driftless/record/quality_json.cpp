#include "driftless/record/quality_json.hpp"

namespace driftless {
namespace {

using nlohmann::ordered_json;

void add(ordered_json& to, const char* name, const std::optional<double>& value) {
  if (value) to[name] = *value;
}

ordered_json classes_json(const ClassTally& classes, std::span<const std::string> names) {
  ordered_json told = ordered_json::array();
  for (std::size_t k = 0; k < classes.samples.size(); ++k) {
    ordered_json& each = told.emplace_back(ordered_json::object());
    each["class"] = names[k];
    each["samples"] = classes.samples[k];
    if (classes.samples[k] == 0) continue;
    each["accuracy"] =
        static_cast<double>(classes.right[k]) / static_cast<double>(classes.samples[k]);
  }
  return told;
}

ordered_json node_json(const RunQuality& quality, std::size_t node) {
  const NodeFigures& figures = quality.nodes[node];
  ordered_json told;
  told["node"] = node;
  if (!figures.site.empty()) told["data"] = figures.site;
  told["samples"] = figures.samples;
  if (quality.tests == Tests::own) {
    told["test_samples"] = static_cast<std::int64_t>(figures.average.samples);
    told["loss"] = figures.average.mean_loss();
    if (quality.classifies) told["accuracy"] = figures.average.accuracy();
    add(told, "auc", figures.area);
  }
  if (!figures.own) return told;
  told["own_loss"] = figures.own->mean_loss();
  if (quality.classifies) told["own_accuracy"] = figures.own->accuracy();
  return told;
}

}  // namespace

ordered_json quality_json(const RunQuality& quality, std::span<const std::string> class_names) {
  ordered_json told;
  told["test_samples"] = static_cast<std::int64_t>(quality.all.samples);
  told["loss"] = quality.all.mean_loss();
  if (quality.classifies) told["accuracy"] = quality.all.accuracy();
  add(told, "r2", quality.r2);
  add(told, "auc", quality.area);
  if (!quality.classes.samples.empty() && quality.classes.samples.size() <= most_told) {
    told["classes"] = classes_json(quality.classes, class_names);
  }
  for (std::size_t i = 0; i < quality.nodes.size(); ++i)
    told["nodes"].push_back(node_json(quality, i));
  if (const NodeFigures* worst = quality.worst()) told["worst_node"] = worst - quality.nodes.data();
  return told;
}

}  // namespace driftless
