#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "driftless/problem/problem.hpp"

namespace driftless::python {

namespace py = pybind11;

// What an object says of itself as a problem, besides its functions.
struct ProblemFacts {
  NodeId nodes = 0;
  Index dim = 0;
  std::optional<double> smoothness;
  std::optional<Optimum> optimum;
  std::vector<std::int64_t> samples;  // of each node; empty: it does not learn from samples
  std::int64_t batch = 0;             // samples of a gradient; 0: all
  bool classifies = true;

  // As problems of the library count them: the last batch of a pass is the rest.
  double passes(std::int64_t gradients) const;
};

// Throws TypeError and ValueError for what makes no sense.
ProblemFacts facts_of(const py::object& object);

// An attribute; a null object where there is none, or None.
py::object member(const py::object& object, const char* name);

}  // namespace driftless::python
