#pragma once

#include <CLI/App.hpp>

namespace driftless {

// Adds `driftless topology FAMILY --nodes N ...`, which prints what a graph costs and how fast it
// mixes.
void add_topology_command(CLI::App& app);

}  // namespace driftless
