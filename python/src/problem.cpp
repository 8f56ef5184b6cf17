#include "problem.hpp"

#include <fmt/format.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string_view>

#include "driftless/base/kernels.hpp"
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

// 0·x is 0 or no number at all, and sums take several numbers in one operation.
template <class Real>
bool all_finite(const Real* numbers, Index count) {
  return (Eigen::Map<const Vector<Real>>(numbers, count).array() * Real(0)).sum() == 0;
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
                           .gradients = function(object, "gradients"),
                           .full_gradient = function(object, "full_gradient"),
                           .loss = member(object, "loss"),
                           .start = member(object, "start"),
                           .test = member(object, "test")}),
      local_steps_(local_steps) {
  if (const py::object address = member(object, "native_gradient")) {
    native_ = reinterpret_cast<Native>(address.cast<std::uintptr_t>());
  }
  if (const py::object address = member(object, "native_step")) {
    native_step_ = reinterpret_cast<NativeStep>(address.cast<std::uintptr_t>());
  }
  if (native_ != nullptr) functions_->gradients = {};
  if (!functions_->gradient && !functions_->gradients && native_ == nullptr) {
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
      throw py::value_error(
          fmt::format("optimum: the point has {} numbers, expected {}", point.size(), dim_));
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
    batch_ = read<std::int64_t>(value, "batch", "a whole number");
    if (batch_ < 1) throw py::value_error(fmt::format("batch is {}, expected at least 1", batch_));
  }
  if (const py::object value = member(object, "classifies")) classifies_ = value.cast<bool>();
}

template <class Real>
std::string PyProblem<Real>::Called::text() const {
  return rows > 0 ? fmt::format("{}()", name) : fmt::format("{}() of node {}", name, node);
}

template <class Real>
std::string PyProblem<Real>::shape(Index rows) const {
  return rows > 0 ? fmt::format("({}, {})", rows, dim_) : fmt::format("({},)", dim_);
}

// The numbers of an array of our type and shape, which needs no conversion; else null. No rows: it
// is a vector.
template <class Real>
const Real* PyProblem<Real>::numbers_of(const py::object& object, Index rows) const {
  if (!py::isinstance<py::array_t<Real, py::array::c_style>>(object)) return nullptr;
  const auto& array = static_cast<const py::array&>(object);
  const bool fits = array.ndim() == (rows > 0 ? 2 : 1) && (rows == 0 || array.shape(0) == rows) &&
                    array.shape(array.ndim() - 1) == dim_;
  return fits ? static_cast<const Real*>(array.data()) : nullptr;
}

// Whether nobody has given the array other memory, another shape or another type.
template <class Real>
bool PyProblem<Real>::is_whole(const Lent& lent, Index rows) const {
  return numbers_of(lent.array, rows) == lent.data;
}

template <class Real>
py::object PyProblem<Real>::lend(Lent& lent, Index rows, bool writable) const {
  if (!lent.array || Py_REFCNT(lent.array.ptr()) > 1 || !is_whole(lent, rows)) {
    py::array_t<Real> array(rows > 0 ? std::vector<Index>{rows, dim_} : std::vector<Index>{dim_});
    lent.data = array.mutable_data();
    if (!writable) make_read_only(array);
    lent.array = std::move(array);
  }
  return lent.array;
}

template <class Real>
py::object PyProblem<Real>::own_x(Seat& seat, const ConstVectorView<Real>& x) const {
  py::object array = lend(seat.x, 0, false);
  std::memcpy(seat.x.data, x.data(), sizeof(Real) * static_cast<std::size_t>(dim_));
  return array;
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
template <class Store>
void PyProblem<Real>::take(const py::object& result, const Called& called,
                           const Store& store) const {
  if (const Real* const numbers = numbers_of(result, called.rows)) {
    store(numbers);
    return;
  }
  if (result.is_none()) {
    throw py::type_error(fmt::format(
        "{} gave None, expected {} numbers (or a parameter `out` to write them to)", called.text(),
        called.rows > 0 ? fmt::format("{} rows of {}", called.rows, dim_)
                        : fmt::format("{}", dim_)));
  }
  const py::array given = array_of(result, called.text() + " gave ");
  const py::array_t<Real, py::array::c_style | py::array::forcecast> numbers(given);
  const auto found = std::string(py::str(numbers.attr("shape")));
  if (found != shape(called.rows)) {
    throw py::value_error(fmt::format("{} gave an array of shape {}, expected {}", called.text(),
                                      found, shape(called.rows)));
  }
  store(numbers.data());
}

// Calls a function and stores the numbers that it returns, or writes to `out`.
template <class Real>
template <class Store, class... Arguments>
void PyProblem<Real>::ask(const Function& function, const Called& called, Lent& out,
                          const Store& store, const Arguments&... arguments) const {
  if (!function.has_out) {
    take(vectorcall(function.call, arguments...), called, store);
    return;
  }
  const py::object array = lend(out, called.rows, true);
  const Lent given = out;
  // What is not written is not the last call's gradient: bits that are all set are no number.
  std::memset(given.data, 0xFF,
              sizeof(Real) * static_cast<std::size_t>(std::max<Index>(called.rows, 1) * dim_));
  const py::object result = vectorcall(function.call, arguments..., array);
  if (!result.is_none() && !result.is(array)) {
    throw py::type_error(fmt::format(
        "{} has a parameter `out` and gave something else: write the gradient to out and return "
        "nothing",
        called.text()));
  }
  if (!is_whole(given, called.rows)) {
    throw py::value_error(
        fmt::format("{} resized `out` or gave it another shape or dtype: write the numbers into it",
                    called.text()));
  }
  store(given.data);
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
  ask(
      function, {.name = name, .node = node}, seat.g,
      [&](const Real* numbers) {
        std::memcpy(g.data(), numbers, sizeof(Real) * static_cast<std::size_t>(dim_));
      },
      py::int_(node), x_array, draw_object);
}

// Which nodes, and their draws, as Python sees them.
template <class Real>
void PyProblem<Real>::name_all(Seat& seat, std::span<const GradientRequest<Real>> requests) const {
  const auto node_of = [](const GradientRequest<Real>& request) { return request.draw.node; };
  if (!seat.nodes || !std::ranges::equal(requests, seat.of_nodes, {}, node_of)) {
    seat.of_nodes.clear();
    for (const GradientRequest<Real>& each : requests) seat.of_nodes.push_back(each.draw.node);
    py::array_t<std::int64_t> nodes(std::ssize(requests));
    std::ranges::copy(seat.of_nodes, nodes.mutable_data());
    make_read_only(nodes);
    seat.nodes = std::move(nodes);
  }
  if (!seat.draws || Py_REFCNT(seat.draws.ptr()) > 1) {
    seat.draws = py::cast(PyDraws({}, local_steps_));
    seat.all_named = seat.draws.template cast<PyDraws*>();
  }
  std::vector<Draw>& draws = seat.all_named->named();
  draws.clear();
  for (const GradientRequest<Real>& each : requests) draws.push_back(each.draw);
}

template <class Real>
void PyProblem<Real>::gradients(std::span<const GradientRequest<Real>> requests) const {
  Vector<Real> sum = Vector<Real>::Zero(dim_);
  {
    check_stop();
    const Gil gil;
    Seat& seat = (*seats_)->local();
    const Index rows = std::ssize(requests);
    const auto bytes_a_row = sizeof(Real) * static_cast<std::size_t>(dim_);
    const py::object x = lend(seat.all_x, rows, false);
    Real* row = seat.all_x.data;
    for (const GradientRequest<Real>& each : requests) {
      std::memcpy(row, each.x, bytes_a_row);
      row += dim_;
    }
    name_all(seat, requests);
    ask(
        functions_->gradients, {.name = "gradients", .rows = rows}, seat.all_g,
        [&](const Real* numbers) {
          for (const GradientRequest<Real>& each : requests) {
            std::memcpy(each.g, numbers, bytes_a_row);
            kernel::sum_in_order(sum.data(), numbers, dim_);
            numbers += dim_;
          }
        },
        py::object(seat.nodes), x, py::object(seat.draws));
  }
  // A sum with a number that is not finite is not finite either.
  if (all_finite(sum.data(), dim_)) return;
  for (const GradientRequest<Real>& each : requests) {
    check_finite("gradients", each.draw.node, Eigen::Map<const Vector<Real>>(each.x, dim_),
                 each.draw, Eigen::Map<Vector<Real>>(each.g, dim_));
  }
}

// Numbers that are not finite are the run's divergence where the loss is not finite either, and
// else a fault of the function, which is told here.
template <class Real>
void PyProblem<Real>::check_finite(const char* name, NodeId node, const ConstVectorView<Real>& x,
                                   const Draw& draw, const VectorView<Real>& g) const {
  if (all_finite(g.data(), dim_) || !all_finite(x.data(), dim_)) return;
  const double value = loss(node, x);
  if (!std::isfinite(value)) return;
  Index bad = 0;
  while (std::isfinite(g[bad])) ++bad;
  const Real found = std::isnan(g[bad]) ? std::abs(g[bad]) : g[bad];  // NaN's sign says nothing
  throw py::value_error(
      fmt::format("{}() of node {} gave {} as number {} in round {}, step {}, where the loss is {}",
                  name, node, found, bad, draw.round, draw.step, value));
}

template <class Real>
void PyProblem<Real>::gradient(NodeId node, const ConstVectorView<Real>& x, const Draw& draw,
                               VectorView<Real> g) const {
  if (native_ != nullptr) {
    native_(node, dim_, x.data(), draw.seed, draw.round, draw.step, g.data());
    return;
  }
  if (functions_->gradients) {
    GradientRequest<Real> one{draw, x.data(), g.data()};
    one.draw.node = node;
    gradients(std::span(&one, 1));
    return;
  }
  call(functions_->gradient, "gradient", node, x, draw, g);
  check_finite("gradient", node, x, draw, g);
}

template <class Real>
void PyProblem<Real>::step(NodeId node, VectorView<Real> y, Real rate,
                           const ConstVectorView<Real>& c, const Draw& draw,
                           VectorView<Real> g) const {
  if (native_step_ == nullptr) {
    Problem<Real>::step(node, y, rate, c, draw, g);
  } else {
    native_step_(node, dim_, y.data(), rate, c.data(), draw.seed, draw.round, draw.step);
  }
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
  take(vectorcall(functions_->start, py::int_(node)), {.name = "start", .node = node},
       [&](const Real* numbers) { x = Eigen::Map<const Vector<Real>>(numbers, dim_); });
}

// As problems of the library count them: the last batch of a pass is the rest.
template <class Real>
double PyProblem<Real>::passes(std::int64_t gradients) const {
  double sum = 0;
  for (const std::int64_t count : samples_) {
    const std::int64_t batches = batch_ > 0 ? (count - 1) / batch_ + 1 : 1;
    sum += static_cast<double>(gradients) / static_cast<double>(batches);
  }
  return sum / nodes_;
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
  if (accuracy.is_none() && classifies_) {
    throw py::type_error(
        "test() gave (loss, None), expected (loss, accuracy); a problem without accuracies says "
        "classifies = False");
  }
  return {.loss = number_of(result[py::int_(0)], "test()[0]"),
          .correct = accuracy.is_none() ? 0.0 : number_of(accuracy, "test()[1]"),
          .samples = 1};
}

template class PyProblem<float>;
template class PyProblem<double>;

}  // namespace driftless::python
