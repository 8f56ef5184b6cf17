#include "problem.hpp"

#include <fmt/format.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include "stop.hpp"

namespace driftless::python {
namespace {

void make_read_only(const py::array& array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
}

template <class... Arguments>
py::object vectorcall(const py::object& function, const Arguments&... arguments) {
  const std::array<PyObject*, sizeof...(arguments)> all{arguments.ptr()...};
  PyObject* const result = PyObject_Vectorcall(function.ptr(), all.data(), all.size(), nullptr);
  if (result == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(result);
}

template <class T>
T read(const py::object& value, const char* name, const char* expected) {
  try {
    return value.cast<T>();
  } catch (const py::cast_error&) {
    const auto shown = py::repr(value).cast<std::string>();
    throw py::type_error(fmt::format("{} is {}, expected {}", name, shown, expected));
  }
}

// What a callback gave, as an array of real numbers.
py::array array_of(const py::object& result, const char* name, NodeId node) {
  const std::string said = fmt::format("{}() of node {} gave ", name, node);
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

double number_of(const py::object& result, const std::string& name) {
  const double value = PyFloat_AsDouble(result.ptr());
  if (value != -1 || PyErr_Occurred() == nullptr) return value;
  py::error_already_set error;
  const auto shown = py::repr(result).cast<std::string>();
  py::raise_from(error, PyExc_TypeError,
                 fmt::format("{} gave {}, expected a number", name, shown).c_str());
  throw py::error_already_set();
}

}  // namespace

template <class Real>
py::object PyProblem<Real>::member(const py::object& object, const char* name) {
  const py::object value = py::getattr(object, name, py::none());
  return value.is_none() ? py::object() : value;
}

template <class Real>
typename PyProblem<Real>::Function PyProblem<Real>::function(const py::object& object,
                                                             const char* name) {
  const py::object found = member(object, name);
  if (!found) return {};
  const py::object signature = py::module_::import("inspect").attr("signature")(found);
  const py::object parameters = signature.attr("parameters");
  return {found, parameters.contains("out")};
}

template <class Real>
PyProblem<Real>::PyProblem(const py::object& object, Step local_steps)
    : functions_(Functions{.gradient = function(object, "gradient"),
                           .full_gradient = function(object, "full_gradient"),
                           .loss = member(object, "loss"),
                           .start = member(object, "start"),
                           .test = member(object, "test")}),
      local_steps_(local_steps) {
  if (const py::object address = member(object, "native_gradient")) {
    native_ = reinterpret_cast<Native>(address.cast<std::uintptr_t>());
  }
  if (!functions_->gradient && native_ == nullptr) {
    throw py::type_error("the problem has no gradient(node, x, draw)");
  }
  if (!functions_->loss) throw py::type_error("the problem has no loss(node, x)");
  read_numbers(object);
}

template <class Real>
void PyProblem<Real>::read_numbers(const py::object& object) {
  nodes_ = read<NodeId>(object.attr("nodes"), "nodes", "a whole number");
  dim_ = read<Index>(object.attr("dim"), "dim", "a whole number");
  if (nodes_ < 1) throw py::value_error(fmt::format("nodes is {}, expected at least 1", nodes_));
  if (dim_ < 1) throw py::value_error(fmt::format("dim is {}, expected at least 1", dim_));
  if (const py::object value = member(object, "smoothness")) {
    smoothness_ = read<double>(value, "smoothness", "a number");
  }
  if (const py::object value = member(object, "optimum")) {
    const auto [point, least] =
        read<std::pair<Vector<double>, double>>(value, "optimum", "(the point, its value)");
    optimum_ = Optimum{point, least};
    if (point.size() != dim_) {
      throw py::value_error(fmt::format("optimum: the point has {} numbers, expected {}",
                                        point.size(), dim_));
    }
  }
  if (const py::object value = member(object, "samples")) {
    samples_ = read<std::vector<std::int64_t>>(value, "samples", "a list of whole numbers");
    if (std::ssize(samples_) != nodes_) {
      throw py::value_error(fmt::format("samples has {} numbers, expected one for each of {} nodes",
                                        samples_.size(), nodes_));
    }
    if (std::ranges::min(samples_) < 1) {
      throw py::value_error("samples: expected at least one sample of each node");
    }
  }
  if (const py::object value = member(object, "batch")) {
    batch_ = read<double>(value, "batch", "a number");
  }
  if (const py::object value = member(object, "classifies")) classifies_ = value.cast<bool>();
}

// Whether nobody has given the array other memory, another shape or another type.
template <class Real>
bool PyProblem<Real>::is_whole(const py::object& array, const Real* data) const {
  const auto& numbers = static_cast<const py::array&>(array);
  return py::isinstance<py::array_t<Real, py::array::c_style>>(array) && numbers.ndim() == 1 &&
         numbers.size() == dim_ && numbers.data() == data;
}

// Whether the seat's array may be handed over again: nobody kept it or changed what it is.
template <class Real>
bool PyProblem<Real>::is_ours(const py::object& array, const Real* data) const {
  return array && Py_REFCNT(array.ptr()) == 1 && is_whole(array, data);
}

template <class Real>
py::object PyProblem<Real>::own_x(Seat& seat, const ConstVectorView<Real>& x) const {
  if (!is_ours(seat.x, seat.x_data)) {
    py::array_t<Real> array(dim_);
    seat.x_data = array.mutable_data();
    make_read_only(array);
    seat.x = std::move(array);
  }
  std::memcpy(seat.x_data, x.data(), sizeof(Real) * static_cast<std::size_t>(dim_));
  return seat.x;
}

template <class Real>
py::object PyProblem<Real>::own_draw(Seat& seat, const Draw& draw) const {
  if (!seat.draw || Py_REFCNT(seat.draw.ptr()) > 1) {
    seat.draw = py::cast(PyDraw(draw, local_steps_));
    seat.named = seat.draw.template cast<PyDraw*>();
  }
  seat.named->rename(draw);
  return seat.draw;
}

// What a function returned.
template <class Real>
void PyProblem<Real>::take(const py::object& result, const char* name, NodeId node, Real* g) const {
  if (result.is_none()) {
    throw py::type_error(fmt::format(
        "{}() of node {} gave None, expected {} numbers (or a parameter `out` to write them to)",
        name, node, dim_));
  }
  const py::array given = array_of(result, name, node);
  const py::array_t<Real, py::array::c_style | py::array::forcecast> numbers(given);
  if (numbers.ndim() != 1 || numbers.size() != dim_) {
    throw py::value_error(fmt::format("{}() of node {} gave an array of shape {}, expected ({},)",
                                      name, node, std::string(py::str(numbers.attr("shape"))),
                                      dim_));
  }
  std::memcpy(g, numbers.data(), sizeof(Real) * static_cast<std::size_t>(dim_));
}

template <class Real>
void PyProblem<Real>::call(const Function& function, const char* name, NodeId node,
                           const ConstVectorView<Real>& x, const Draw& draw,
                           VectorView<Real> g) const {
  check_stop();
  const Gil gil;
  Seat& seat = (*seats_)->local();
  const py::object x_array = own_x(seat, x);
  const py::object draw_object = own_draw(seat, draw);
  const py::int_ node_id(node);
  if (!function.has_out) {
    take(vectorcall(function.call, node_id, x_array, draw_object), name, node, g.data());
    return;
  }
  if (!is_ours(seat.g, seat.g_data)) {
    py::array_t<Real> array(dim_);
    seat.g_data = array.mutable_data();
    seat.g = std::move(array);
  }
  const py::object out = seat.g;
  Real* const data = seat.g_data;
  // What is not written is not the last call's gradient.
  std::fill_n(data, dim_, std::numeric_limits<Real>::quiet_NaN());
  const py::object result = vectorcall(function.call, node_id, x_array, draw_object, out);
  if (!result.is_none() && !result.is(out)) {
    throw py::type_error(fmt::format(
        "{}() of node {} has a parameter `out` and gave something else: write the gradient to out "
        "and return nothing",
        name, node));
  }
  if (!is_whole(out, data)) {
    throw py::value_error(fmt::format(
        "{}() of node {} resized `out` or gave it another shape or dtype: write the numbers into it",
        name, node));
  }
  std::memcpy(g.data(), data, sizeof(Real) * static_cast<std::size_t>(dim_));
}

// Numbers that are not finite are the run's divergence where the loss is not finite either, and
// else a fault of the function, which is told here.
template <class Real>
void PyProblem<Real>::check_finite(const char* name, NodeId node, const ConstVectorView<Real>& x,
                                   const Draw& draw, const VectorView<Real>& g) const {
  if (g.allFinite() || !x.allFinite()) return;
  const double value = loss(node, x);
  if (!std::isfinite(value)) return;
  Index bad = 0;
  while (std::isfinite(g[bad])) ++bad;
  throw py::value_error(
      fmt::format("{}() of node {} gave {} as number {} in round {}, step {}, where the loss is {}",
                  name, node, g[bad], bad, draw.round, draw.step, value));
}

template <class Real>
void PyProblem<Real>::gradient(NodeId node, const ConstVectorView<Real>& x, const Draw& draw,
                               VectorView<Real> g) const {
  if (native_ != nullptr) {
    native_(node, dim_, x.data(), draw.seed, draw.round, draw.step, g.data());
    return;
  }
  call(functions_->gradient, "gradient", node, x, draw, g);
  check_finite("gradient", node, x, draw, g);
}

template <class Real>
void PyProblem<Real>::full_gradient(NodeId node, const ConstVectorView<Real>& x, const Draw& draw,
                                    VectorView<Real> g) const {
  if (!functions_->full_gradient) {
    throw py::type_error(
        "the problem has no full_gradient(node, x, draw), which this method and "
        "run.gradient_metrics need");
  }
  call(functions_->full_gradient, "full_gradient", node, x, draw, g);
  check_finite("full_gradient", node, x, draw, g);
}

template <class Real>
double PyProblem<Real>::loss(NodeId node, const ConstVectorView<Real>& x) const {
  check_stop();
  const Gil gil;
  const py::object x_array = own_x((*seats_)->local(), x);
  const py::object result = vectorcall(functions_->loss, py::int_(node), x_array);
  return number_of(result, fmt::format("loss() of node {}", node));
}

template <class Real>
void PyProblem<Real>::start(NodeId node, VectorView<Real> x) const {
  x.setZero();
  if (!functions_->start) return;
  check_stop();
  const Gil gil;
  take(vectorcall(functions_->start, py::int_(node)), "start", node, x.data());
}

template <class Real>
double PyProblem<Real>::passes(std::int64_t gradients) const {
  double sum = 0;
  for (const std::int64_t each : samples_) sum += batch_ / static_cast<double>(each);
  return sum / nodes_ * static_cast<double>(gradients);
}

// The function tells means over the test samples, so they count as one.
template <class Real>
Tally PyProblem<Real>::test(NodeId /*node*/, const ConstVectorView<Real>& x) const {
  check_stop();
  const Gil gil;
  const py::object x_array = own_x((*seats_)->local(), x);
  const py::object result = vectorcall(functions_->test, x_array);
  if (!py::isinstance<py::sequence>(result) || py::len(result) != 2) {
    throw py::type_error(fmt::format("test() gave {}, expected (loss, accuracy)",
                                     py::repr(result).cast<std::string>()));
  }
  const py::object accuracy = result[py::int_(1)];
  return {.loss = number_of(result[py::int_(0)], "test()[0]"),
          .correct = accuracy.is_none() ? 0.0 : number_of(accuracy, "test()[1]"),
          .samples = 1};
}

template class PyProblem<float>;
template class PyProblem<double>;

}  // namespace driftless::python
