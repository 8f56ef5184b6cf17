#pragma once

#include "driftless/network/runtime.hpp"

namespace driftless::python {

// The processes of this job: MPI's ranks in the module _core_mpi, and else this one alone.
Runtime& runtime();
// MPI is finalised before the interpreter ends.
void end_runtime();

}  // namespace driftless::python
