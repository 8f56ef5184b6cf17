#include "values.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

namespace driftless::python {
namespace {

std::string type_name(Option::Type type) {
  switch (type) {
    case Option::Type::boolean:
      return "bool";
    case Option::Type::integer:
    case Option::Type::integers:
      return "int";
    case Option::Type::number:
      return "float";
    case Option::Type::text:
    case Option::Type::texts:
      return "str";
    case Option::Type::path:
    case Option::Type::paths:
      return "path";
  }
  return "";
}

template <class Element>
Value list_of(const py::sequence& list, const std::string& name) {
  std::vector<Element> elements;
  for (const py::handle each : list) {
    const Value value = value_of(each, name);
    if (!std::holds_alternative<Element>(value)) {
      throw py::value_error(fmt::format("{}: a list of values of different types", name));
    }
    elements.push_back(std::get<Element>(value));
  }
  return elements;
}

}  // namespace

// bool comes before int, of which it is a kind in Python.
Value value_of(const py::handle& object, const std::string& name) {
  if (py::isinstance<py::bool_>(object)) return object.cast<bool>();
  if (PyIndex_Check(object.ptr()) != 0) return object.cast<std::int64_t>();
  if (PyNumber_Check(object.ptr()) != 0 && !py::isinstance<py::sequence>(object)) {
    return py::float_(py::reinterpret_borrow<py::object>(object)).cast<double>();
  }
  if (py::isinstance<py::str>(object)) return object.cast<std::string>();
  if (py::hasattr(object, "__fspath__")) {
    return py::module_::import("os").attr("fspath")(object).cast<std::string>();
  }
  if (py::isinstance<py::sequence>(object)) {
    const auto list = py::reinterpret_borrow<py::sequence>(object);
    if (py::len(list) > 0 && py::isinstance<py::str>(list[0])) {
      return list_of<std::string>(list, name);
    }
    return list_of<std::int64_t>(list, name);
  }
  throw py::value_error(fmt::format("{}: found {}, expected a number, a text or a list", name,
                                    std::string(py::str(py::type::handle_of(object)))));
}

py::object object_of(const Value& value) {
  return std::visit([](const auto& held) { return py::object(py::cast(held)); }, value);
}

Settings settings_of(const py::dict& settings) {
  Settings all;
  for (const auto& [key, value] : settings) {
    const auto name = key.cast<std::string>();
    all[name] = value_of(value, name);
  }
  return all;
}

py::dict described(const Option& option) {
  py::dict told;
  told["name"] = option.name;
  told["doc"] = option.doc;
  told["type"] = type_name(option.type);
  told["list"] = option.is_list();
  told["default"] = option.fallback ? object_of(*option.fallback) : py::none();
  told["required"] = option.required;
  told["sweepable"] = option.sweepable;
  told["choices"] = option.choices;
  told["expected"] = option.expectation();
  return told;
}

}  // namespace driftless::python
