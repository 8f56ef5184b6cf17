#include "problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "driftless/base/kernels.hpp"
#include "stop.hpp"

namespace driftless::python {
namespace {

// 0·x is 0 or no number at all, and sums take several numbers in one operation.
template <class Real>
bool all_finite(const Real* numbers, Index count) {
  return (Eigen::Map<const Vector<Real>>(numbers, count).array() * Real(0)).sum() == 0;
}

// The function in C at the address that the object tells; null where it tells none.
template <class Function>
Function function_at(const py::object& object, const char* name) {
  const py::object address = member(object, name);
  if (!address) return nullptr;
  void* const place = PyLong_AsVoidPtr(address.ptr());
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  return reinterpret_cast<Function>(place);
}

}  // namespace

template <class Real>
PyProblem<Real>::PyProblem(const py::object& object, Step local_steps)
    : functions_(Functions{.gradient = function_of(object, "gradient"),
                           .gradients = function_of(object, "gradients"),
                           .full_gradient = function_of(object, "full_gradient"),
                           .loss = member(object, "loss"),
                           .start = member(object, "start"),
                           .test = member(object, "test")}),
      local_steps_(local_steps),
      facts_(facts_of(object)) {
  native_ = function_at<Native>(object, "native_gradient");
  native_step_ = function_at<NativeStep>(object, "native_step");
  if (native_ != nullptr) functions_->gradients = {};
  if (!functions_->gradient && !functions_->gradients && native_ == nullptr) {
    throw py::type_error("the problem has no gradient(node, x, draw)");
  }
  if (!functions_->loss) throw py::type_error("the problem has no loss(node, x)");
}

template <class Real>
py::object PyProblem<Real>::own_x(Seat& seat, const ConstVectorView<Real>& x) const {
  py::object array = seat.x.lend(vector(), false);
  std::memcpy(seat.x.data(), x.data(), bytes_a_vector());
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
      function, {.name = name, .shape = vector(), .node = node}, seat.g,
      [&](const Real* numbers) { std::memcpy(g.data(), numbers, bytes_a_vector()); },
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
  Vector<Real> sum = Vector<Real>::Zero(dim());
  {
    check_stop();
    const Gil gil;
    Seat& seat = (*seats_)->local();
    const Shape shape{.dim = dim(), .rows = std::ssize(requests)};
    const py::object x = seat.all_x.lend(shape, false);
    Real* row = seat.all_x.data();
    for (const GradientRequest<Real>& each : requests) {
      std::memcpy(row, each.x, bytes_a_vector());
      row += dim();
    }
    name_all(seat, requests);
    ask(
        functions_->gradients, {.name = "gradients", .shape = shape}, seat.all_g,
        [&](const Real* numbers) {
          for (const GradientRequest<Real>& each : requests) {
            std::memcpy(each.g, numbers, bytes_a_vector());
            kernel::sum_in_order(sum.data(), numbers, dim());
            numbers += dim();
          }
        },
        py::object(seat.nodes), x, py::object(seat.draws));
  }
  // A sum with a number that is not finite is not finite either.
  if (all_finite(sum.data(), dim())) return;
  for (const GradientRequest<Real>& each : requests) {
    check_finite("gradients", each.draw.node, Eigen::Map<const Vector<Real>>(each.x, dim()),
                 each.draw, Eigen::Map<Vector<Real>>(each.g, dim()));
  }
}

// Numbers that are not finite are the run's divergence where the loss is not finite either, and
// else a fault of the function, which is told here.
template <class Real>
void PyProblem<Real>::check_finite(const char* name, NodeId node, const ConstVectorView<Real>& x,
                                   const Draw& draw, const VectorView<Real>& g) const {
  if (all_finite(g.data(), dim()) || !all_finite(x.data(), dim())) return;
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
    native_(node, dim(), x.data(), draw.seed, draw.round, draw.step, g.data());
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
    native_step_(node, dim(), y.data(), rate, c.data(), draw.seed, draw.round, draw.step);
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
  const Called called{.name = "start", .shape = vector(), .node = node};
  const Answer<Real> given(vectorcall(functions_->start, py::int_(node)), called);
  x = Eigen::Map<const Vector<Real>>(given.data(), dim());
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
  if (accuracy.is_none() && facts_.classifies) {
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
