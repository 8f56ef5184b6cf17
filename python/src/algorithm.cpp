#include "algorithm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "stop.hpp"

namespace driftless::python {
namespace {

template <class Real>
std::size_t bytes_of(Index numbers) {
  return static_cast<std::size_t>(numbers) * sizeof(Real);
}

}  // namespace

template <class Real>
PyAlgorithm<Real>::PyAlgorithm(py::object object, const Problem<Real>& problem, Network& network,
                               const AlgorithmOptions& options)
    : Algorithm<Real>(problem, network, options),
      arrays_(network.hosted(), problem.dim()),
      object_(std::move(object)) {
  const Gil gil;
  *models_ = arrays_.zeros();
  const AlgorithmCore* core = this;
  object_->attr("_core") = py::cast(core, py::return_value_policy::reference);
}

// Who keeps the object must not reach this any more.
template <class Real>
PyAlgorithm<Real>::~PyAlgorithm() {
  const Gil gil;
  if (PyObject_SetAttrString(object_->ptr(), "_core", Py_None) != 0) {
    PyErr_WriteUnraisable(object_->ptr());
  }
}

template <class Real>
std::vector<Rows<Real>*> PyAlgorithm<Real>::copied_in(const std::vector<Array>& arrays) {
  std::vector<Rows<Real>*> rows;
  while (mixed_.size() < arrays.size()) mixed_.push_back(this->zero_rows());
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    arrays_.copy(arrays[k], mixed_[k]);
    rows.push_back(&mixed_[k]);
  }
  return rows;
}

template <class Real>
void PyAlgorithm<Real>::copy_out(std::vector<Array>& arrays) const {
  for (std::size_t k = 0; k < arrays.size(); ++k) arrays_.copy(mixed_[k], arrays[k]);
}

// In a begin() that only makes rows, all else does nothing.
template <class Real>
void PyAlgorithm<Real>::mix(Round t, const py::sequence& arrays, bool lazy) {
  std::vector<Array> all = arrays_.all_checked(arrays, "mix");
  if (t != now_) {
    throw py::value_error(fmt::format("mix: this is round {}, and not {}", now_, t));
  }
  if (stage_ == Stage::preparing) return;
  const std::vector<Rows<Real>*> rows = copied_in(all);
  {
    const py::gil_scoped_release others;
    network_.template mix<Real>(RowsList<Real>(rows), lazy ? Mixing::lazy : Mixing::plain);
  }
  copy_out(all);
}

template <class Real>
void PyAlgorithm<Real>::average(const py::sequence& arrays) {
  std::vector<Array> all = arrays_.all_checked(arrays, "average");
  if (stage_ == Stage::preparing) return;
  const std::vector<Rows<Real>*> rows = copied_in(all);
  {
    const py::gil_scoped_release others;
    network_.template average<Real>(RowsList<Real>(rows));
  }
  copy_out(all);
}

template <class Real>
py::array PyAlgorithm<Real>::gradients(const py::array& y, Round t, Step step, bool full) {
  const Array at = arrays_.checked(y, "gradients");
  Array g = arrays_.zeros();
  if (stage_ == Stage::preparing) return g;
  const Real* const from = at.data();
  Real* const to = g.mutable_data();
  const Index first = network_.hosted().first;
  if (const GradientsAtOnce<Real>* all = full ? nullptr : problem_.at_once()) {
    const py::gil_scoped_release others;
    std::vector<GradientRequest<Real>> requests;
    for (NodeId i = network_.hosted().first; i < network_.hosted().last; ++i) {
      if (!is_up(i)) continue;
      const Index at_row = (i - first) * this->dim();
      requests.push_back({this->draw(i, t, step), from + at_row, to + at_row});
    }
    if (!requests.empty()) all->gradients(requests);
  } else {
    const py::gil_scoped_release others;
    network_.for_each_node([&](NodeId i) {
      const Eigen::Map<const Vector<Real>> point(from + (i - first) * this->dim(), this->dim());
      const Eigen::Map<Vector<Real>> out(to + (i - first) * this->dim(), this->dim());
      if (full) {
        problem_.full_gradient(i, point, this->draw(i, t, step), out);
      } else {
        problem_.gradient(i, point, this->draw(i, t, step), out);
      }
    });
  }
  gradients_ += 1;
  return g;
}

template <class Real>
void PyAlgorithm<Real>::take_steps(const py::array& y, Round t, const py::object& correction,
                                   Step steps) {
  Array at = arrays_.all_checked(py::make_tuple(y), "local_steps").front();
  const Array added =
      correction.is_none() ? arrays_.zeros() : arrays_.checked(correction, "local_steps");
  if (steps < 1) throw py::value_error("local_steps: expected at least one step");
  if (stage_ == Stage::preparing) return;
  Real* const moved = at.mutable_data();
  Rows<Real>& before = *copied_in({at}).front();
  Rows<Real> added_rows = this->zero_rows();
  arrays_.copy(added, added_rows);
  const Real local_rate = this->local_rate(t);
  const auto done = [&](NodeId i) { return std::min(steps, network_.steps(i, steps)); };
  {
    const py::gil_scoped_release others;
    this->walk(
        before, t, done,
        [&](const Draw& draw, auto point, auto g) {
          problem_.step(draw.node, point, local_rate, added_rows[draw.node], draw, g);
        },
        [&](NodeId i, auto point, auto g) { descend(point, local_rate, g, added_rows[i]); },
        [&](NodeId i, auto point) {
          // All nodes' directions weigh the same (Algorithm::weight_of_step).
          const auto longer = static_cast<Real>(steps) / static_cast<Real>(done(i));
          if (done(i) != steps) point = before[i] + longer * (point - before[i]);
          Eigen::Map<Vector<Real>>(moved + (i - network_.hosted().first) * this->dim(),
                                   this->dim()) = point;
        });
  }
  gradients_ += steps;
}

template <class Real>
py::array PyAlgorithm<Real>::rows(const std::string& name, bool is_correction) {
  for (const Named& each : named_)
    if (each.name == name) return *each.array;
  if (stage_ == Stage::running) {
    throw py::value_error(fmt::format(
        "rows(\"{}\"): make all rows in begin(), so that a resumed run has them too", name));
  }
  Named& added = named_.emplace_back();
  added.name = name;
  *added.array = arrays_.zeros();
  added.rows = this->zero_rows();
  if (is_correction) correction_ = name;
  return *added.array;
}

// What ends a run passes through Python's frames as a KeyboardInterrupt, and is itself again here.
template <class Real>
template <class... Arguments>
void PyAlgorithm<Real>::call(const char* function, const Arguments&... arguments) {
  try {
    object_->attr(function)(arguments...);
  } catch (const py::error_already_set& error) {
    if (error.matches(PyExc_KeyboardInterrupt)) check_stop();
    throw;
  }
}

template <class Real>
void PyAlgorithm<Real>::call_begin(Stage stage) {
  stage_ = stage;
  call("begin");
  stage_ = Stage::running;
}

template <class Real>
void PyAlgorithm<Real>::begin() {
  const Gil gil;
  arrays_.copy(x_, *models_);
  call_begin(Stage::beginning);
  arrays_.copy(*models_, x_);
}

template <class Real>
void PyAlgorithm<Real>::prepare_to_resume() {
  const Gil gil;
  call_begin(Stage::preparing);
}

template <class Real>
void PyAlgorithm<Real>::resumed(Round /*rounds*/) {
  const Gil gil;
  arrays_.copy(x_, *models_);
  for (Named& each : named_) arrays_.copy(each.rows, *each.array);
}

// The rows of hosted nodes that take no part in this round, in a fixed order.
template <class Real>
template <class Copy>
void PyAlgorithm<Real>::for_each_row_that_is_away(const Copy& copy) {
  if (network_.weather() == nullptr) return;
  std::size_t next = 0;
  for (NodeId i = network_.hosted().first; i < network_.hosted().last; ++i) {
    if (is_up(i)) continue;
    const auto copy_row = [&](Array& array) {
      if (next == away_.size()) away_.emplace_back(this->dim());
      copy(arrays_.row(array, i), away_[next++].data());
    };
    copy_row(*models_);
    for (Named& each : named_) copy_row(*each.array);
  }
}

// A method works on all rows at once; those of nodes that are away keep what they have.
template <class Real>
void PyAlgorithm<Real>::round(Round t) {
  check_stop();
  now_ = t;
  const Gil gil;
  const std::size_t bytes_a_row = bytes_of<Real>(this->dim());
  arrays_.copy(x_, *models_);
  for_each_row_that_is_away([&](Real* row, Real* kept) { std::memcpy(kept, row, bytes_a_row); });
  call("round", t);
  for_each_row_that_is_away([&](Real* row, Real* kept) { std::memcpy(row, kept, bytes_a_row); });
  arrays_.copy(*models_, x_);
}

template <class Real>
std::vector<NamedRows<Real>> PyAlgorithm<Real>::state() {
  std::vector<NamedRows<Real>> all{{"x", &x_}};
  for (Named& each : named_) {
    arrays_.copy(*each.array, each.rows);
    all.push_back({each.name, &each.rows});
  }
  return all;
}

template <class Real>
typename PyAlgorithm<Real>::Named* PyAlgorithm<Real>::correction_rows() {
  for (Named& each : named_)
    if (each.name == correction_) return &each;
  return nullptr;
}

template <class Real>
bool PyAlgorithm<Real>::correction(NodeId i, VectorView<Real> c) const {
  for (const Named& each : named_) {
    if (each.name != correction_) continue;
    const Index at = (i - network_.hosted().first) * this->dim();
    c = Eigen::Map<const Vector<Real>>(each.array->data() + at, this->dim());
    return true;
  }
  return false;
}

// What the object does not say follows from its rows: a correction gives back what a lost
// neighbour's letters brought, and who joins begins with zeros.
template <class Real>
void PyAlgorithm<Real>::take_back(NodeId i, const ConstVectorView<Real>& flow) {
  const Gil gil;
  if (py::hasattr(*object_, "take_back")) {
    Array copy(flow.size());
    std::memcpy(copy.mutable_data(), flow.data(), bytes_of<Real>(flow.size()));
    call("take_back", i, copy);
  } else if (Named* c = correction_rows()) {
    Eigen::Map<Vector<Real>>(arrays_.row(*c->array, i), this->dim()) -= flow;
  }
}

template <class Real>
void PyAlgorithm<Real>::join(NodeId i, Round t) {
  const Gil gil;
  std::memcpy(arrays_.row(*models_, i), x_.row(i), bytes_of<Real>(this->dim()));
  for (Named& each : named_)
    Eigen::Map<Vector<Real>>(arrays_.row(*each.array, i), this->dim()).setZero();
  if (!py::hasattr(*object_, "join")) return;
  call("join", i, t);
  std::memcpy(x_.row(i), arrays_.row(*models_, i), bytes_of<Real>(this->dim()));
}

template class PyAlgorithm<float>;
template class PyAlgorithm<double>;

}  // namespace driftless::python
