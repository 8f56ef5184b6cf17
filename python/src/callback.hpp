#pragma once

#include <pybind11/numpy.h>

#include <array>
#include <string>

#include "driftless/base/types.hpp"

namespace driftless::python {

namespace py = pybind11;

// A vector, or so many rows.
struct Shape {
  Index dim = 0;
  Index rows = 0;  // 0: a vector

  Index numbers() const { return rows > 0 ? rows * dim : dim; }
  std::string text() const;  // as numpy writes it
};

// What is called, as faults name it: a function of one node, or of so many nodes at once.
struct Called {
  const char* name;
  Shape shape;  // of what it gives
  NodeId node = 0;

  std::string text() const;
};

// f(node, x, draw) returns numbers, or f(node, x, draw, out) writes them.
struct Function {
  py::object call;
  bool has_out = false;
  explicit operator bool() const { return static_cast<bool>(call); }
};
Function function_of(const py::object& object, const char* name);

template <class... Arguments>
py::object vectorcall(const py::object& function, const Arguments&... arguments) {
  const std::array<PyObject*, sizeof...(arguments)> all{arguments.ptr()...};
  PyObject* const result = PyObject_Vectorcall(function.ptr(), all.data(), all.size(), nullptr);
  if (result == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(result);
}

// What `name` gave, as a number.
double number_of(const py::object& result, const std::string& name);

void make_read_only(const py::array& array);

// An array that is lent to callbacks again and again; a new one where somebody kept the last, or
// gave it another shape.
template <class Real>
class LentArray {
 public:
  // Call by call; data() is what it holds until the next call.
  py::object lend(const Shape& shape, bool writable);
  Real* data() const { return data_; }
  // Whether nobody has given the array other memory, another shape or another type.
  bool is_whole(const Shape& shape) const;

 private:
  py::object array_;
  Real* data_ = nullptr;
};

// What a callback gave, as numbers of our type: the array itself, or a conversion of it.
template <class Real>
class Answer {
 public:
  // Throws TypeError and ValueError, which name what was called.
  Answer(const py::object& result, const Called& called);
  const Real* data() const { return data_; }

 private:
  py::object array_;
  const Real* data_;
};

// What is not written to `out` is no number.
template <class Real>
void mark_unwritten(Real* out, Index numbers);

// Throws unless the callback left `out`, which held what `lent` lends, as it was.
template <class Real>
void check_out(const py::object& result, const py::object& out, const LentArray<Real>& lent,
               const Called& called);

// Calls a function and stores the numbers that it returns, or writes to `out`.
template <class Real, class Store, class... Arguments>
void ask(const Function& function, const Called& called, LentArray<Real>& out, const Store& store,
         const Arguments&... arguments) {
  if (!function.has_out) {
    store(Answer<Real>(vectorcall(function.call, arguments...), called).data());
    return;
  }
  const py::object array = out.lend(called.shape, true);
  const LentArray<Real> lent = out;  // a call in the call may lend another one
  mark_unwritten(lent.data(), called.shape.numbers());
  check_out(vectorcall(function.call, arguments..., array), array, lent, called);
  store(lent.data());
}

}  // namespace driftless::python
