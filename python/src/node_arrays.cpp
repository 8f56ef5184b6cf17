#include "node_arrays.hpp"

#include <fmt/format.h>

#include <cstring>
#include <string>

namespace driftless::python {

template <class Real>
typename NodeArrays<Real>::Array NodeArrays<Real>::zeros() const {
  Array array({Index{hosted_.size()}, dim_});
  std::memset(array.mutable_data(), 0, static_cast<std::size_t>(array.nbytes()));
  return array;
}

template <class Real>
typename NodeArrays<Real>::Array NodeArrays<Real>::checked(const py::handle& array,
                                                           const char* function) const {
  if (!py::isinstance<Array>(array)) {
    throw py::type_error(fmt::format("{}: expected arrays of {} in C order, as self.rows() gives",
                                     function, sizeof(Real) == 4 ? "float32" : "float64"));
  }
  auto rows = py::reinterpret_borrow<Array>(array);
  if (rows.ndim() != 2 || rows.shape(0) != hosted_.size() || rows.shape(1) != dim_) {
    throw py::value_error(
        fmt::format("{}: found an array of shape {}, expected ({}, {}): a row for each hosted node",
                    function, std::string(py::str(rows.attr("shape"))), hosted_.size(), dim_));
  }
  return rows;
}

template <class Real>
std::vector<typename NodeArrays<Real>::Array> NodeArrays<Real>::all_checked(
    const py::sequence& arrays, const char* function) const {
  std::vector<Array> all;
  for (const py::handle each : arrays) {
    all.push_back(checked(each, function));
    if (!all.back().writeable()) {
      throw py::value_error(fmt::format("{}: the array is read-only", function));
    }
  }
  if (all.empty()) throw py::type_error(fmt::format("{}: give one array or more", function));
  return all;
}

template <class Real>
void NodeArrays<Real>::copy(const Array& from, Rows<Real>& to) const {
  std::memcpy(to.row(hosted_.first), from.data(), static_cast<std::size_t>(from.nbytes()));
}

template <class Real>
void NodeArrays<Real>::copy(const Rows<Real>& from, Array& to) const {
  std::memcpy(to.mutable_data(), from.row(hosted_.first), static_cast<std::size_t>(to.nbytes()));
}

template class NodeArrays<float>;
template class NodeArrays<double>;

}  // namespace driftless::python
