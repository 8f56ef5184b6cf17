#pragma once
#include <CLI/CLI.hpp>
namespace driftless {
inline void add_topology_command(CLI::App&) {}
}  // namespace driftless
