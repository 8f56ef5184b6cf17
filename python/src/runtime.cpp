#include "runtime.hpp"

#include <memory>

#ifdef DRIFTLESS_PYTHON_MPI
#include <mpi.h>
#include <pybind11/pybind11.h>

#include "driftless/network/mpi/mpi_runtime.hpp"
#endif

namespace driftless::python {
namespace {

#ifdef DRIFTLESS_PYTHON_MPI
std::unique_ptr<Runtime> made() {
  int begun = 0;
  MPI_Initialized(&begun);
  if (begun != 0) {
    throw pybind11::value_error(
        "MPI was begun before driftless, perhaps by mpi4py: import driftless first, and leave MPI "
        "to it");
  }
  static int argc = 0;
  static char** argv = nullptr;
  return std::make_unique<MpiRuntime>(argc, argv);
}
#else
std::unique_ptr<Runtime> made() { return std::make_unique<Runtime>(); }
#endif

std::unique_ptr<Runtime>& owner() {
  static std::unique_ptr<Runtime> runtime;
  return runtime;
}

}  // namespace

Runtime& runtime() {
  if (!owner()) owner() = made();
  return *owner();
}

void end_runtime() { owner().reset(); }

}  // namespace driftless::python
