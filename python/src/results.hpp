#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <vector>

#include "driftless/base/processes.hpp"
#include "driftless/record/run_texts.hpp"

namespace driftless::python {

namespace py = pybind11;

// A run as its folder, or the memory, tells it.
class PyRun {
 public:
  explicit PyRun(RecordedRun in_folder) : recorded_(std::move(in_folder)), has_folder_(true) {}
  explicit PyRun(KeptRun kept)
      : recorded_(recorded(kept.texts)), kept_(std::make_shared<const KeptRun>(std::move(kept))) {}

  const RecordedRun& recorded_run() const { return recorded_; }
  py::dict settings() const;
  py::dict columns() const;
  std::string summary() const;
  std::string folder() const { return has_folder_ ? recorded_.folder.string() : ""; }
  // None where the run has not ended.
  py::object models() const;
  py::object model() const;

 private:
  py::object loaded(const char* file) const;

  RecordedRun recorded_;
  bool has_folder_ = false;
  std::shared_ptr<const KeptRun> kept_;  // null: a folder has the models
};

// The first process's runs, in all of them.
std::vector<PyRun> shared(std::vector<KeptRun> runs, const Processes& processes);

// Adds core.Run, core.read and core.report.
void bind_results(py::module_& module);

}  // namespace driftless::python
