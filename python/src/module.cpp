#include <pybind11/pybind11.h>

#include <exception>
#include <system_error>
#include <utility>

#include "algorithm.hpp"
#include "describe.hpp"
#include "draw.hpp"
#include "driftless/base/error.hpp"
#include "driftless/base/processes.hpp"
#include "driftless/base/version.hpp"
#include "problem.hpp"
#include "results.hpp"
#include "run.hpp"
#include "runtime.hpp"
#include "stop.hpp"

namespace driftless::python {
namespace {

void bind_errors(py::module_& module) {
  static const py::exception<InputError> input(module, "InputError", PyExc_ValueError);
  const auto& config = py::register_local_exception<ConfigError>(module, "ConfigError", input);
  const auto& data = py::register_local_exception<DataError>(module, "DataError", input);
  input.doc() = "What was asked for makes no sense, or a file is not what it claims to be.";
  config.doc() = "A request that makes no sense: an unknown key, an impossible value.";
  data.doc() = "A file whose contents are not what they claim to be.";
  py::register_local_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(std::move(thrown));
    } catch (const std::system_error& error) {  // a disk that is full, a folder that is gone
      const py::tuple arguments = py::make_tuple(error.code().value(), error.what());
      PyErr_SetObject(PyExc_OSError, arguments.ptr());
    } catch (const Aborted&) {  // through the round of a method in Python
      PyErr_SetString(PyExc_KeyboardInterrupt, "the run is ended in the middle of a round");
    }
  });
}

// Before the interpreter ends: it would kill threads that ask it for the lock.
void end() {
  {
    const py::gil_scoped_release others;
    end_runs();
  }
  end_runtime();
}

}  // namespace

PYBIND11_MODULE(DRIFTLESS_PYTHON_MODULE, module) {
  module.doc() = "The library behind the package driftless.";
  module.attr("version") = version();
  module.attr("build") = build_id();
  bind_errors(module);
  bind_draw(module);
  bind_algorithm(module);
  bind_results(module);
  bind_run(module);
  bind_descriptions(module);
  register_python_problems();
  module.def("rank", [] { return runtime().rank(); });
  module.def("ranks", [] { return runtime().count(); });
  module.def("abort", [](int exit_code) { runtime().abort(exit_code); });
  module.def("end", &end);
}

}  // namespace driftless::python
