#pragma once

#include <pybind11/numpy.h>

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "draw.hpp"
#include "driftless/algorithm/registry.hpp"
#include "node_arrays.hpp"

namespace driftless::python {

// What a method in Python asks for, whatever numbers it computes in. Arrays have a row for each
// hosted node.
class AlgorithmCore : public Interface {
 public:
  virtual py::array models() const = 0;
  virtual py::array rows(const std::string& name, bool is_correction) = 0;
  virtual void mix(Round t, const py::sequence& arrays, bool lazy) = 0;
  virtual void average(const py::sequence& arrays) = 0;
  virtual void take_steps(const py::array& y, Round t, const py::object& correction,
                          Step steps) = 0;
  virtual py::array gradients(const py::array& y, Round t, Step step, bool full) = 0;
  virtual PyDraw draw_of(NodeId node, Round t, Step step) const = 0;
  virtual double rate(Round t) const = 0;
  virtual const AlgorithmOptions& all_options() const = 0;
  virtual NodeRange hosted_nodes() const = 0;
  virtual NodeId all_nodes() const = 0;
};

// A method whose begin() and round(t) are those of a Python object. Its vectors are arrays that
// Python owns: rows of the library may be exchanged for others by a mix.
template <class Real>
class PyAlgorithm final : public Algorithm<Real>, public AlgorithmCore {
 public:
  PyAlgorithm(py::object object, const Problem<Real>& problem, Network& network,
              const AlgorithmOptions& options);
  ~PyAlgorithm() override;

  void round(Round t) override;
  std::vector<NamedRows<Real>> state() override;
  bool correction(NodeId i, VectorView<Real> c) const override;
  void take_back(NodeId i, const ConstVectorView<Real>& flow) override;
  void join(NodeId i, Round t) override;

  py::array models() const override { return *models_; }
  py::array rows(const std::string& name, bool is_correction) override;
  void mix(Round t, const py::sequence& arrays, bool lazy) override;
  void average(const py::sequence& arrays) override;
  void take_steps(const py::array& y, Round t, const py::object& correction, Step steps) override;
  py::array gradients(const py::array& y, Round t, Step step, bool full) override;
  PyDraw draw_of(NodeId node, Round t, Step step) const override {
    return PyDraw(this->draw(node, t, step), options_.local_steps);
  }
  double rate(Round t) const override { return this->local_rate(t); }
  const AlgorithmOptions& all_options() const override { return options_; }
  NodeRange hosted_nodes() const override { return network_.hosted(); }
  NodeId all_nodes() const override { return network_.nodes(); }

 private:
  using Algorithm<Real>::problem_, Algorithm<Real>::network_, Algorithm<Real>::options_,
      Algorithm<Real>::x_, Algorithm<Real>::gradients_;
  using Array = typename NodeArrays<Real>::Array;

  struct Named {
    std::string name;
    Guarded<Array> array;
    Rows<Real> rows;  // what the array held when state() was asked
  };
  enum class Stage { before, preparing, beginning, running };

  void begin() override;
  void prepare_to_resume() override;
  void resumed(Round rounds) override;
  template <class... Arguments>
  void call(const char* function, const Arguments&... arguments);
  void call_begin(Stage stage);
  std::vector<Rows<Real>*> copied_in(const std::vector<Array>& arrays);
  void copy_out(std::vector<Array>& arrays) const;
  bool is_up(NodeId i) const {
    return network_.weather() == nullptr || network_.weather()->is_up(i);
  }
  template <class Copy>
  void for_each_row_that_is_away(const Copy& copy);
  Named* correction_rows();

  NodeArrays<Real> arrays_;
  Guarded<py::object> object_;
  Guarded<Array> models_;
  std::deque<Named> named_;
  std::string correction_;  // the name of the rows that are one; empty: none are
  std::deque<Rows<Real>> mixed_;
  std::vector<Vector<Real>> away_;
  Stage stage_ = Stage::before;
  Round now_ = 0;
};

// Adds core.Algorithm, and core.register_algorithm.
void bind_algorithm(py::module_& module);

}  // namespace driftless::python
