#pragma once

#include <pybind11/numpy.h>
#include <tbb/enumerable_thread_specific.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "callback.hpp"
#include "draw.hpp"
#include "driftless/problem/registry.hpp"
#include "problem_facts.hpp"

namespace driftless::python {

// A problem whose functions are those of a Python object; docs/python.md tells users which it may
// have. They are looked up once, so the object need not inherit from anything.
//
// Callbacks see arrays of their own: x is copied in and g is copied out. What a callback or a
// traceback keeps is then nobody else's memory, and below a thousand numbers a copy is cheaper than
// to make an array object over foreign memory.
template <class Real>
class PyProblem final : public Problem<Real>, public Learning<Real>, public GradientsAtOnce<Real> {
 public:
  PyProblem(const py::object& object, Step local_steps);

  NodeId nodes() const override { return facts_.nodes; }
  Index dim() const override { return facts_.dim; }
  void start(NodeId node, VectorView<Real> x) const override;
  void gradient(NodeId node, const ConstVectorView<Real>& x, const Draw& draw,
                VectorView<Real> g) const override;
  void step(NodeId node, VectorView<Real> y, Real rate, const ConstVectorView<Real>& c,
            const Draw& draw, VectorView<Real> g) const override;
  const GradientsAtOnce<Real>* at_once() const override {
    return functions_->gradients ? this : nullptr;
  }
  void gradients(std::span<const GradientRequest<Real>> requests) const override;
  void full_gradient(NodeId node, const ConstVectorView<Real>& x, const Draw& draw,
                     VectorView<Real> g) const override;
  double loss(NodeId node, const ConstVectorView<Real>& x) const override;
  std::optional<double> smoothness() const override { return facts_.smoothness; }
  const Optimum* optimum() const override { return facts_.optimum ? &*facts_.optimum : nullptr; }

  const Learning<Real>* learning() const override {
    return facts_.samples.empty() && !functions_->test ? nullptr : this;
  }
  std::int64_t samples(NodeId node) const override {
    return facts_.samples.empty() ? 0 : facts_.samples[static_cast<std::size_t>(node)];
  }
  double passes(std::int64_t gradients) const override { return facts_.passes(gradients); }
  double penalty(const ConstVectorView<Real>& /*x*/) const override { return 0; }
  Tests tests() const override { return functions_->test ? Tests::common : Tests::none; }
  Tally test(NodeId node, const ConstVectorView<Real>& x) const override;
  bool classifies() const override { return facts_.classifies; }

 private:
  struct Functions {
    Function gradient, gradients, full_gradient;
    py::object loss, start, test;
  };
  // What one worker hands over, call by call.
  struct Seat {
    LentArray<Real> x, g;
    py::object draw;
    PyDraw* named = nullptr;
    // For several nodes at once.
    LentArray<Real> all_x, all_g;
    py::object nodes, draws;
    std::vector<NodeId> of_nodes;
    PyDraws* all_named = nullptr;
  };
  // gradient(node, dim, x, seed, round, step, g) in C, whose address the object tells.
  using Native = void (*)(std::int32_t, std::int64_t, const Real*, std::uint64_t, std::int64_t,
                          std::int32_t, Real*);
  // step(node, dim, y, rate, c, seed, round, step) in C: y ← y − rate · (gradient + c).
  using NativeStep = void (*)(std::int32_t, std::int64_t, Real*, Real, const Real*, std::uint64_t,
                              std::int64_t, std::int32_t);

  void call(const Function& function, const char* name, NodeId node, const ConstVectorView<Real>& x,
            const Draw& draw, VectorView<Real> g) const;
  void check_finite(const char* name, NodeId node, const ConstVectorView<Real>& x, const Draw& draw,
                    const VectorView<Real>& g) const;
  py::object own_x(Seat& seat, const ConstVectorView<Real>& x) const;
  py::object own_draw(Seat& seat, const Draw& draw) const;
  void name_all(Seat& seat, std::span<const GradientRequest<Real>> requests) const;
  Shape vector() const { return {.dim = dim()}; }
  std::size_t bytes_a_vector() const { return sizeof(Real) * static_cast<std::size_t>(dim()); }

  Guarded<Functions> functions_;
  Native native_ = nullptr;
  NativeStep native_step_ = nullptr;
  Step local_steps_;
  ProblemFacts facts_;
  using Seats = tbb::enumerable_thread_specific<Seat, std::allocator<Seat>>;
  mutable Guarded<std::unique_ptr<Seats>> seats_{std::make_unique<Seats>()};
};

// Registers the kind "python": the problem that the innermost GivenProblem of this thread holds.
void register_python_problems();

class GivenProblem {
 public:
  explicit GivenProblem(py::object problem);
  ~GivenProblem();
  GivenProblem(const GivenProblem&) = delete;
  GivenProblem& operator=(const GivenProblem&) = delete;

 private:
  py::object before_;
};

}  // namespace driftless::python
