#pragma once

#include <pybind11/numpy.h>

#include <vector>

#include "driftless/network/rows.hpp"

namespace driftless::python {

namespace py = pybind11;

// Arrays of Python that have a row for each hosted node, and the library's rows of these nodes.
template <class Real>
class NodeArrays {
 public:
  using Array = py::array_t<Real, py::array::c_style>;

  NodeArrays(NodeRange hosted, Index dim) : hosted_(hosted), dim_(dim) {}

  Array zeros() const;
  // An array of this shape and type, or an exception that names the function it was given to.
  Array checked(const py::handle& array, const char* function) const;
  // Likewise, one or more, which may be written to.
  std::vector<Array> all_checked(const py::sequence& arrays, const char* function) const;

  Real* row(Array& array, NodeId i) const {
    return array.mutable_data() + (i - hosted_.first) * dim_;
  }
  void copy(const Array& from, Rows<Real>& to) const;
  void copy(const Rows<Real>& from, Array& to) const;

 private:
  NodeRange hosted_;
  Index dim_;
};

}  // namespace driftless::python
