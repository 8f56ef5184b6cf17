#pragma once

#include <pybind11/pybind11.h>

#include "driftless/base/option.hpp"

namespace driftless::python {

namespace py = pybind11;

// A value of a config as Python has it, and back. Throws ValueError for what no config holds.
Value value_of(const py::handle& object, const std::string& name);
py::object object_of(const Value& value);

Settings settings_of(const py::dict& settings);

// Of an option as Python sees it: name, doc, type, default, choices …
py::dict described(const Option& option);

}  // namespace driftless::python
