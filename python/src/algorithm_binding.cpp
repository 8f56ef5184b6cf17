#include <pybind11/stl.h>

#include <algorithm>
#include <array>

#include "algorithm.hpp"
#include "driftless/base/error.hpp"
#include "values.hpp"

namespace driftless::python {
namespace {

// What kinds keep of Python lives as long as the interpreter: nobody must drop it at the program's
// end, when there is no interpreter any more.
struct KeptMaker {
  py::handle make;

  template <class Real>
  std::unique_ptr<Algorithm<Real>> operator()(const Problem<Real>& problem, Network& network,
                                              const AlgorithmOptions& options) const {
    const Gil gil;
    py::object object = make();
    return std::make_unique<PyAlgorithm<Real>>(std::move(object), problem, network, options);
  }
};

Option option_of(const std::string& name, const py::object& fallback, const std::string& doc) {
  const Value value = value_of(fallback, name);
  constexpr std::array types{Option::Type::boolean, Option::Type::integer,  Option::Type::number,
                             Option::Type::text,    Option::Type::integers, Option::Type::texts};
  Option option;
  option.name = name;
  option.doc = doc;
  option.type = types.at(value.index());
  option.fallback = value;
  return option;
}

// An option that another method has too is the same key of the config: it has that one's words and
// bounds, and a default of its own.
void share_key(Option& option, const std::string& method) {
  for (const AlgorithmKind& other : algorithm_kinds()) {
    const auto found = std::ranges::find(other.own, option.name, &Option::name);
    if (other.name == method || found == other.own.end()) continue;
    Option shared = *found;
    shared.fallback = option.fallback;
    const bool fits = shared.type == option.type && shared.fault(*shared.fallback).empty();
    if (!fits) {
      throw ConfigError(
          "{}.{} = {}: {} has an option of that name, which is {}; choose another name", method,
          option.name, toml_literal(*option.fallback), other.name, shared.expectation());
    }
    option = std::move(shared);
    return;
  }
}

using OptionTuple = std::tuple<std::string, py::object, std::string>;

void register_method(const std::string& name, const std::string& title, const std::string& summary,
                     int vectors_an_edge, int vectors_a_server,
                     const std::vector<OptionTuple>& options, const py::object& make) {
  AlgorithmKind kind{.name = name,
                     .title = title,
                     .summary = summary,
                     .vectors_an_edge = vectors_an_edge,
                     .vectors_a_server = vectors_a_server};
  for (const auto& [option, fallback, doc] : options) {
    kind.own.push_back(option_of(option, fallback, doc));
    share_key(kind.own.back(), name);
  }
  const KeptMaker maker{make.inc_ref()};
  kind.make = {maker, maker};
  replace_algorithm(std::move(kind));
}

}  // namespace

void bind_algorithm(py::module_& module) {
  using py::literals::operator""_a;
  using Core = AlgorithmCore;
  const auto own_options = [](const Core& core) {
    py::dict all;
    for (const auto& [name, value] : core.all_options().own) all[py::str(name)] = object_of(value);
    return all;
  };
  const auto hosted = [](const Core& core) {
    const NodeRange nodes = core.hosted_nodes();
    return py::module_::import("builtins").attr("range")(nodes.first, nodes.last);
  };
  py::class_<Core>(module, "Algorithm", "What a method in Python may ask for.")
      .def_property_readonly("x", &Core::models)
      .def_property_readonly("options", own_options)
      .def_property_readonly("local_steps",
                             [](const Core& core) { return core.all_options().local_steps; })
      .def_property_readonly("communication_rate",
                             [](const Core& core) { return core.all_options().communication_rate; })
      .def_property_readonly("hosted", hosted)
      .def_property_readonly("nodes", &Core::all_nodes)
      .def("local_rate", &Core::rate, "t"_a)
      .def("rows", &Core::rows, "name"_a, "correction"_a)
      .def("mix", &Core::mix, "t"_a, "arrays"_a, "lazy"_a)
      .def("average", &Core::average, "arrays"_a)
      .def("take_steps", &Core::take_steps, "y"_a, "t"_a, "correction"_a, "steps"_a)
      .def("gradients", &Core::gradients, "y"_a, "t"_a, "step"_a, "full"_a)
      .def("draw", &Core::draw_of, "node"_a, "t"_a, "step"_a);
  module.def("register_algorithm", &register_method, "name"_a, "title"_a, "summary"_a,
             "vectors_an_edge"_a, "vectors_a_server"_a, "options"_a, "make"_a);
}

}  // namespace driftless::python
