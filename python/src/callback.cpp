#include "callback.hpp"

#include <fmt/format.h>

#include <cstring>
#include <string_view>
#include <vector>

#include "problem_facts.hpp"

namespace driftless::python {
namespace {

// The numbers of an array of our type and shape, which needs no conversion; else null.
template <class Real>
const Real* numbers_of(const py::object& object, const Shape& shape) {
  if (!py::isinstance<py::array_t<Real, py::array::c_style>>(object)) return nullptr;
  const auto& array = static_cast<const py::array&>(object);
  const bool fits = array.ndim() == (shape.rows > 0 ? 2 : 1) &&
                    (shape.rows == 0 || array.shape(0) == shape.rows) &&
                    array.shape(array.ndim() - 1) == shape.dim;
  return fits ? static_cast<const Real*>(array.data()) : nullptr;
}

// An array of real numbers, whatever their type.
py::array array_of(const py::object& result, const std::string& said) {
  try {
    py::array given(result);
    if (std::string_view("biuf").find(given.dtype().kind()) != std::string_view::npos) return given;
    const auto dtype = py::str(given.dtype()).cast<std::string>();
    throw py::type_error(fmt::format("{}an array of {}, expected real numbers", said, dtype));
  } catch (py::error_already_set& error) {
    py::raise_from(error, PyExc_TypeError, (said + "what is no array of numbers").c_str());
    throw py::error_already_set();
  }
}

}  // namespace

std::string Shape::text() const {
  return rows > 0 ? fmt::format("({}, {})", rows, dim) : fmt::format("({},)", dim);
}

std::string Called::text() const {
  return shape.rows > 0 ? fmt::format("{}()", name) : fmt::format("{}() of node {}", name, node);
}

Function function_of(const py::object& object, const char* name) {
  const py::object found = member(object, name);
  if (!found) return {};
  const py::object signature = py::module_::import("inspect").attr("signature")(found);
  const py::object parameters = signature.attr("parameters");
  return {found, parameters.contains("out")};
}

double number_of(const py::object& result, const std::string& name) {
  const double value = PyFloat_AsDouble(result.ptr());
  if (value != -1 || PyErr_Occurred() == nullptr) return value;
  py::error_already_set error;
  const auto shown = py::repr(result).cast<std::string>();
  py::raise_from(error, PyExc_TypeError,
                 fmt::format("{} gave {}, expected a number", name, shown).c_str());
  throw py::error_already_set();
}

void make_read_only(const py::array& array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
}

template <class Real>
bool LentArray<Real>::is_whole(const Shape& shape) const {
  return numbers_of<Real>(array_, shape) == data_;
}

template <class Real>
py::object LentArray<Real>::lend(const Shape& shape, bool writable) {
  if (!array_ || Py_REFCNT(array_.ptr()) > 1 || !is_whole(shape)) {
    py::array_t<Real> array(shape.rows > 0 ? std::vector<Index>{shape.rows, shape.dim}
                                           : std::vector<Index>{shape.dim});
    data_ = array.mutable_data();
    if (!writable) make_read_only(array);
    array_ = std::move(array);
  }
  return array_;
}

template <class Real>
Answer<Real>::Answer(const py::object& result, const Called& called)
    : array_(result), data_(numbers_of<Real>(result, called.shape)) {
  if (data_ != nullptr) return;
  if (result.is_none()) {
    throw py::type_error(fmt::format(
        "{} gave None, expected {}{} numbers (or a parameter `out` to write them to)",
        called.text(), called.shape.rows > 0 ? fmt::format("{} rows of ", called.shape.rows) : "",
        called.shape.dim));
  }
  const py::array given = array_of(result, called.text() + " gave ");
  py::array_t<Real, py::array::c_style | py::array::forcecast> numbers(given);
  const auto found = std::string(py::str(numbers.attr("shape")));
  if (found != called.shape.text()) {
    throw py::value_error(fmt::format("{} gave an array of shape {}, expected {}", called.text(),
                                      found, called.shape.text()));
  }
  data_ = numbers.data();
  array_ = std::move(numbers);
}

// Bits that are all set.
template <class Real>
void mark_unwritten(Real* out, Index numbers) {
  std::memset(out, 0xFF, sizeof(Real) * static_cast<std::size_t>(numbers));
}

template <class Real>
void check_out(const py::object& result, const py::object& out, const LentArray<Real>& lent,
               const Called& called) {
  if (!result.is_none() && !result.is(out)) {
    throw py::type_error(fmt::format(
        "{} has a parameter `out` and gave something else: write the gradient to out and return "
        "nothing",
        called.text()));
  }
  if (!lent.is_whole(called.shape)) {
    throw py::value_error(
        fmt::format("{} resized `out` or gave it another shape or dtype: write the numbers into it",
                    called.text()));
  }
}

template class LentArray<float>;
template class LentArray<double>;
template class Answer<float>;
template class Answer<double>;
template void mark_unwritten(float*, Index);
template void mark_unwritten(double*, Index);
template void check_out(const py::object&, const py::object&, const LentArray<float>&,
                        const Called&);
template void check_out(const py::object&, const py::object&, const LentArray<double>&,
                        const Called&);

}  // namespace driftless::python
