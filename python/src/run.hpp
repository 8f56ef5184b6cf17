#pragma once

#include <pybind11/pybind11.h>

namespace driftless::python {

// Adds core.Progress and core.run.
void bind_run(pybind11::module_& module);

}  // namespace driftless::python
