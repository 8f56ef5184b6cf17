#include "draw.hpp"

#include <fmt/format.h>

#include <numeric>
#include <span>
#include <vector>

#include "driftless/base/random.hpp"
#include "driftless/data/batches.hpp"

namespace driftless::python {
namespace {

// Looked up when the module is imported: an import in a callback may let go of the GIL, and two
// threads that wait for a static and for the GIL would wait for each other.
struct Imported {
  py::handle namespace_of;  // types.SimpleNamespace
  py::handle lock;          // threading.Lock
  py::handle generator;     // numpy.random.Generator
};
Imported imported;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): filled once

py::handle kept(const char* module, const char* name) {
  return py::object(py::module_::import(module).attr(name)).release();
}

// numpy asks of a bit generator no more than a capsule of this name and a lock. The capsule keeps
// the stream.
py::object generator_over(const std::shared_ptr<WordStream>& words) {
  const py::capsule capsule(words->generator(), "BitGenerator");
  PyCapsule_SetContext(capsule.ptr(), new std::shared_ptr<WordStream>(words));
  PyCapsule_SetDestructor(capsule.ptr(), [](PyObject* self) {
    delete static_cast<std::shared_ptr<WordStream>*>(PyCapsule_GetContext(self));
  });
  return imported.generator(
      imported.namespace_of(py::arg("capsule") = capsule, py::arg("lock") = imported.lock()));
}

// out += deviation · N(0, I), by the draws of its rows, which are as long as each other.
template <class Real>
bool add_normal_if(const py::array& out, double deviation, std::span<const Draw> draws) {
  if (!py::isinstance<py::array_t<Real, py::array::c_style>>(out)) return false;
  if (!out.writeable()) throw py::value_error("add_normal: the array is read-only");
  auto numbers = py::reinterpret_borrow<py::array_t<Real, py::array::c_style>>(out);
  Real* row = numbers.mutable_data();
  const Index a_row = draws.empty() ? 0 : numbers.size() / std::ssize(draws);
  for (const Draw& draw : draws) {
    // The numbers that problems in C++ take for their noise.
    add_normals(row, a_row, deviation, draw, Purpose::gradient_noise);
    row += a_row;
  }
  return true;
}

void add_normal_to(const py::array& out, double deviation, std::span<const Draw> draws) {
  if (add_normal_if<double>(out, deviation, draws)) return;
  if (add_normal_if<float>(out, deviation, draws)) return;
  throw py::type_error("add_normal: expected an array of float32 or float64 in C order");
}

}  // namespace

WordStream::WordStream() {
  generator_.state = this;
  generator_.next_uint32 = [](void* state) { return static_cast<WordStream*>(state)->next(); };
  generator_.next_uint64 = [](void* state) { return static_cast<WordStream*>(state)->next_two(); };
  generator_.next_raw = generator_.next_uint64;
  generator_.next_double = [](void* state) {  // 53 random bits, as numpy's own generators make them
    return static_cast<double>(static_cast<WordStream*>(state)->next_two() >> 11) * 0x1p-53;
  };
}

void WordStream::restart(const Draw& draw) {
  draw_ = draw;
  block_ = 0;
  used_ = words_.size();
}

std::uint32_t WordStream::next() {
  if (used_ == words_.size()) {
    words_ = words(draw_, purpose_of_rng, block_++);
    used_ = 0;
  }
  return words_[used_++];
}

std::uint64_t WordStream::next_two() {
  const std::uint64_t low = next();
  return low | static_cast<std::uint64_t>(next()) << 32;
}

std::uint64_t PyDraw::seed() const {
  const auto w = words(draw_, purpose_of_seed, 0);
  return w[0] | static_cast<std::uint64_t>(w[1]) << 32;
}

py::object PyDraw::rng() {
  if (!rng_ || Py_REFCNT(rng_.ptr()) > 1) {  // somebody kept the last one: it is theirs
    words_ = std::make_shared<WordStream>();
    rng_ = generator_over(words_);
  }
  words_->restart(draw_);
  return rng_;
}

py::array PyDraw::batch(std::int32_t size, std::int32_t count, const std::string& sampling) const {
  if (size < 1) throw py::value_error("batch: size must be at least 1");
  if (count < 1) throw py::value_error("batch: there must be at least one sample");
  thread_local std::vector<SampleId> every;  // 0, 1, 2 …
  thread_local std::vector<SampleId> picked;
  const auto known = static_cast<std::int32_t>(every.size());
  if (known < count) {
    every.resize(static_cast<std::size_t>(count));
    std::iota(every.begin() + known, every.end(), known);
  }
  const Batches batches(size, from_name<Sampling>("sampling", sampling), steps_a_round_);
  batches.pick(std::span(every).first(static_cast<std::size_t>(count)), draw_, picked);
  py::array_t<std::int64_t> out(std::ssize(picked));
  std::copy(picked.begin(), picked.end(), out.mutable_data());
  return out;
}

void PyDraw::add_normal(const py::array& out, double deviation) const {
  add_normal_to(out, deviation, std::span(&draw_, 1));
}

PyDraw PyDraws::at(py::ssize_t place) const {
  const auto size = static_cast<py::ssize_t>(draws_.size());
  if (place < -size || place >= size) throw py::index_error("there is no such draw");
  return PyDraw(draws_[static_cast<std::size_t>(place < 0 ? place + size : place)], steps_a_round_);
}

void PyDraws::add_normal(const py::array& out, double deviation) const {
  if (out.ndim() == 0 || out.shape(0) != std::ssize(draws_)) {
    throw py::value_error(
        fmt::format("add_normal: found an array of shape {}, expected a row for each of {} draws",
                    std::string(py::str(out.attr("shape"))), draws_.size()));
  }
  add_normal_to(out, deviation, draws_);
}

void bind_draw(py::module_& module) {
  imported = {kept("types", "SimpleNamespace"), kept("threading", "Lock"),
              kept("numpy.random", "Generator")};
  using py::literals::operator""_a;
  const auto part = [](auto Draw::*field) {
    return [field](const PyDraw& draw) { return draw.named().*field; };
  };
  py::class_<PyDraw>(module, "Draw",
                     "Names one random draw: every number is a function of (seed, node, round, "
                     "step).")
      .def(py::init([](std::uint64_t seed, NodeId node, Round round, Step step, Step steps) {
             return PyDraw({seed, node, round, step}, steps);
           }),
           "seed"_a = 0, "node"_a = 0, "round"_a = 0, "step"_a = 0, "steps"_a = 1)
      .def_property_readonly("run_seed", part(&Draw::seed), "The seed of the run.")
      .def_property_readonly("node", part(&Draw::node), "Of which node.")
      .def_property_readonly("round", part(&Draw::round), "Of which round.")
      .def_property_readonly("step", part(&Draw::step), "Of which local step of the round.")
      .def_property_readonly("seed", &PyDraw::seed,
                             "64 bits that name this draw, to seed another generator with.")
      .def("rng", &PyDraw::rng,
           "A numpy generator whose numbers are those of this draw, from the first.")
      .def("batch", &PyDraw::batch, "size"_a, "count"_a, "sampling"_a = "shuffle",
           "Of the samples 0 … count − 1, those that this draw's step sees. With \"shuffle\" every "
           "pass takes each once, in a fresh order; with \"iid\" each is drawn from all.")
      .def("add_normal", &PyDraw::add_normal, "out"_a, "deviation"_a = 1.0,
           "out += deviation · N(0, I), quicker than by rng().");
  py::class_<PyDraws>(module, "Draws", "The draws of several nodes, in their order.")
      .def("__len__", &PyDraws::size)
      .def("__getitem__", &PyDraws::at, "place"_a)
      .def("add_normal", &PyDraws::add_normal, "out"_a, "deviation"_a = 1.0,
           "out[k] += deviation · N(0, I) by the draw k, for every row of out.");
}

}  // namespace driftless::python
