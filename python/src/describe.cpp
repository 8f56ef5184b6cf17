#include "describe.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "driftless/algorithm/registry.hpp"
#include "driftless/config/key.hpp"
#include "driftless/data/split.hpp"
#include "driftless/experiment/metrics.hpp"
#include "driftless/experiment/prepared_network.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/sequence_families.hpp"
#include "values.hpp"

namespace driftless::python {
namespace {

py::list keys() {
  py::list all;
  for (const Key& key : config_keys()) all.append(described(key));
  return all;
}

py::dict algorithms() {
  py::dict all;
  for (const AlgorithmKind& kind : algorithm_kinds()) {
    py::list options;
    for (const Option& option : kind.own) options.append(described(option));
    py::dict told;
    told["title"] = kind.title;
    told["summary"] = kind.summary;
    told["vectors_an_edge"] = kind.vectors_an_edge;
    told["vectors_a_server"] = kind.vectors_a_server;
    told["local_steps"] = kind.local_steps;
    told["options"] = options;
    all[py::str(kind.name)] = told;
  }
  return all;
}

py::dict topologies() {
  py::dict all;
  for (const GraphFamily& family : graph_families())
    all[py::str(std::string(family.name))] = std::string(family.description);
  for (const SequenceFamily& family : sequence_families())
    all[py::str(std::string(family.name))] = std::string(family.description);
  return all;
}

py::dict metrics() {
  py::dict all;
  for (const MetricColumn& column : metric_columns())
    all[py::str(std::string(column.name))] = std::string(column.meaning);
  return all;
}

template <class T>
py::array_t<T> array_of(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

// The rows as (start, columns, weights), as scipy's csr_array has them.
py::tuple rows_of(const WeightRows& rows) {
  return py::make_tuple(array_of(std::vector<std::int64_t>(rows.start.begin(), rows.start.end())),
                        array_of(rows.nodes), array_of(rows.weights));
}

py::dict fixed(const PreparedNetwork& network) {
  const MixingMatrix& mixing = *network.mixing;
  std::vector<NodeId> degrees;
  degrees.reserve(mixing.nodes());
  for (NodeId i = 0; i < mixing.nodes(); ++i) degrees.push_back(mixing.degree(i));
  py::dict told;
  told["edges"] = mixing.edges();
  told["degrees"] = array_of(degrees);
  told["p"] = network.spectrum->p;
  told["gap"] = network.spectrum->gap;
  told["lambda_2"] = network.spectrum->lambda2;
  told["lambda_min"] = network.spectrum->lambda_min;
  told["rows"] = rows_of(mixing.rows());
  return told;
}

py::dict changing(const PreparedNetwork& network) {
  py::dict told;
  told["period"] = network.sequence->period();
  told["most_peers"] = network.sequence->most_peers();
  told["p"] = network.period.p;
  told["p_rounds"] = network.period.rounds;
  told["links"] = py::cpp_function([sequence = network.sequence](Round t) {
    WeightRows rows;
    sequence->links(t, rows);
    return rows_of(rows);
  });
  return told;
}

py::dict topology(const py::dict& settings) {
  auto config = options_of<NetworkConfig>().read(settings_of(settings));
  if (!config.file.empty() && !settings.contains("nodes"))
    config.nodes.reset();  // the file says it
  PreparedNetwork network;
  {
    const py::gil_scoped_release others;
    network =
        prepare_network(config, config.nodes, fmt::format("nodes = {}", config.nodes.value_or(0)));
  }
  py::dict told = network.mixing ? fixed(network) : changing(network);
  told["nodes"] = network.nodes();
  return told;
}

// Labels are the indices of classes.
std::vector<py::array> split(const std::vector<std::int64_t>& labels, NodeId nodes,
                             const std::string& kind, double alpha, int shards,
                             std::uint64_t seed) {
  Dataset data;
  std::int64_t most = -1;
  for (const std::int64_t label : labels) {
    constexpr std::int64_t most_classes = 1'000'000;
    if (label < 0 || label >= most_classes) {
      throw ConfigError("split: found the label {}, expected classes from 0", label);
    }
    most = std::max(most, label);
    data.labels.push_back(static_cast<std::int32_t>(label));
  }
  for (std::int64_t k = 0; k <= most; ++k) data.class_names.push_back(std::to_string(k));
  const SplitOptions options{
      .split = from_name<Split>("split", kind), .alpha = alpha, .shards = shards, .seed = seed};
  std::vector<py::array> parts;
  for (const std::vector<SampleId>& part : make_split(data, nodes, options)) {
    parts.push_back(array_of(std::vector<std::int64_t>(part.begin(), part.end())));
  }
  return parts;
}

}  // namespace

void bind_descriptions(py::module_& module) {
  using py::literals::operator""_a;
  module.def("keys", &keys);
  module.def(
      "unknown_key", [](const std::string& name) { return unknown_key(name); }, "name"_a);
  module.def(
      "toml_literal",
      [](const py::object& value) { return driftless::toml_literal(value_of(value, "value")); },
      "value"_a);
  module.def("algorithms", &algorithms);
  module.def("topologies", &topologies);
  module.def("metrics", &metrics);
  module.def("topology", &topology, "settings"_a);
  module.def("split", &split, "labels"_a, "nodes"_a, "kind"_a, "alpha"_a, "shards"_a, "seed"_a);
}

}  // namespace driftless::python
