#include "problem_facts.hpp"

#include <fmt/format.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <algorithm>

namespace driftless::python {
namespace {

template <class T>
T read(const py::object& value, const char* name, const char* expected) {
  try {
    return value.cast<T>();
  } catch (const py::cast_error&) {
    const auto shown = py::repr(value).cast<std::string>();
    throw py::type_error(fmt::format("{} is {}, expected {}", name, shown, expected));
  }
}

void check_count(const char* name, std::int64_t count) {
  if (count < 1) throw py::value_error(fmt::format("{} is {}, expected at least 1", name, count));
}

Optimum optimum_of(const py::object& value, Index dim) {
  const auto [point, least] =
      read<std::pair<Vector<double>, double>>(value, "optimum", "(the point, its value)");
  if (point.size() != dim) {
    throw py::value_error(
        fmt::format("optimum: the point has {} numbers, expected {}", point.size(), dim));
  }
  return {point, least};
}

std::vector<std::int64_t> samples_of(const py::object& value, NodeId nodes) {
  auto samples = read<std::vector<std::int64_t>>(value, "samples", "a list of whole numbers");
  if (std::ssize(samples) != nodes) {
    throw py::value_error(fmt::format("samples has {} numbers, expected one for each of {} nodes",
                                      samples.size(), nodes));
  }
  if (std::ranges::min(samples) < 1) {
    throw py::value_error("samples: expected at least one sample of each node");
  }
  return samples;
}

}  // namespace

py::object member(const py::object& object, const char* name) {
  const py::object value = py::getattr(object, name, py::none());
  return value.is_none() ? py::object() : value;
}

ProblemFacts facts_of(const py::object& object) {
  ProblemFacts facts;
  facts.nodes = read<NodeId>(object.attr("nodes"), "nodes", "a whole number");
  facts.dim = read<Index>(object.attr("dim"), "dim", "a whole number");
  check_count("nodes", facts.nodes);
  check_count("dim", facts.dim);
  if (const py::object value = member(object, "smoothness"))
    facts.smoothness = read<double>(value, "smoothness", "a number");
  if (const py::object value = member(object, "optimum"))
    facts.optimum = optimum_of(value, facts.dim);
  if (const py::object value = member(object, "samples"))
    facts.samples = samples_of(value, facts.nodes);
  if (const py::object value = member(object, "batch")) {
    facts.batch = read<std::int64_t>(value, "batch", "a whole number");
    check_count("batch", facts.batch);
  }
  if (const py::object value = member(object, "classifies"))
    facts.classifies = read<bool>(value, "classifies", "True or False");
  return facts;
}

double ProblemFacts::passes(std::int64_t gradients) const {
  double sum = 0;
  for (const std::int64_t count : samples) {
    const std::int64_t batches = batch > 0 ? (count - 1) / batch + 1 : 1;
    sum += static_cast<double>(gradients) / static_cast<double>(batches);
  }
  return sum / nodes;
}

}  // namespace driftless::python
