#pragma once

#include <pybind11/pybind11.h>

namespace driftless::python {

// Adds what there is to choose from: keys, methods, topologies, columns; splits; a network alone.
void bind_descriptions(pybind11::module_& module);

}  // namespace driftless::python
