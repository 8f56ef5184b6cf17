#pragma once

#include <CLI/App.hpp>

namespace driftless {

// Adds `driftless data fetch NAME`, which brings a data set into the user's cache.
void add_data_fetch_command(CLI::App& data, int& exit_code);

}  // namespace driftless
