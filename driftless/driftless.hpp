#pragma once

// All that a program of its own needs of driftless::core: a problem, who talks to whom, a method,
// and the loop. With driftless::mpi comes driftless/network/mpi/mpi_runtime.hpp, and with
// driftless::program driftless/cli/program.hpp.
#include "driftless/algorithm/registry.hpp"
#include "driftless/base/error.hpp"
#include "driftless/base/random.hpp"
#include "driftless/experiment/run.hpp"
#include "driftless/graph/edge_list.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/matrix_market.hpp"
#include "driftless/graph/weights.hpp"
#include "driftless/network/local_network.hpp"
#include "driftless/network/runtime.hpp"
#include "driftless/problem/least_squares.hpp"
#include "driftless/problem/registry.hpp"
