#pragma once

#include <numpy/random/bitgen.h>
#include <pybind11/numpy.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driftless/base/draw.hpp"
#include "gil.hpp"

namespace driftless::python {

// Purposes of what Python draws: they share no number with any problem in C++.
inline constexpr auto purpose_of_rng = static_cast<Purpose>(128);
inline constexpr auto purpose_of_seed = static_cast<Purpose>(129);

// The words of a draw, one after the other, as a bit generator of numpy.
class WordStream {
 public:
  WordStream();
  void restart(const Draw& draw);
  bitgen_t* generator() { return &generator_; }

 private:
  std::uint32_t next();
  std::uint64_t next_two();

  bitgen_t generator_{};
  Draw draw_;
  std::uint32_t block_ = 0;
  std::array<std::uint32_t, 4> words_{};
  std::size_t used_ = 4;
};

// What a callback gets as `draw`: the name of a draw, and what can be made of it.
class PyDraw {
 public:
  explicit PyDraw(const Draw& draw, Step steps_a_round = 1)
      : draw_(draw), steps_a_round_(steps_a_round) {}

  // For the worker that hands the same object over again.
  void rename(const Draw& draw) { draw_ = draw; }

  const Draw& named() const { return draw_; }
  std::uint64_t seed() const;
  py::object rng();
  py::array batch(std::int32_t size, std::int32_t count, const std::string& sampling) const;
  void add_normal(const py::array& out, double deviation) const;

 private:
  Draw draw_;
  Step steps_a_round_;  // batches are counted through the rounds
  std::shared_ptr<WordStream> words_;
  py::object rng_;
};

// What a callback for several nodes at once gets as `draws`: a draw of each, in their order.
class PyDraws {
 public:
  PyDraws(std::vector<Draw> draws, Step steps_a_round)
      : draws_(std::move(draws)), steps_a_round_(steps_a_round) {}

  std::vector<Draw>& named() { return draws_; }
  std::size_t size() const { return draws_.size(); }
  PyDraw at(py::ssize_t place) const;
  void add_normal(const py::array& out, double deviation) const;

 private:
  std::vector<Draw> draws_;
  Step steps_a_round_;
};

void bind_draw(py::module_& module);

}  // namespace driftless::python
