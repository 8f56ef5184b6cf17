#pragma once

#include <CLI/CLI.hpp>

#include "driftless/network/runtime.hpp"

namespace driftless {

// The program's exit codes.
constexpr int exit_done = 0;
constexpr int exit_failed = 1;  // a run diverged, the disk is full, …
constexpr int exit_wrong = 2;   // the request makes no sense: nothing was done

// Each adds its subcommand; when it is the one, it does the work and sets exit_code.
void add_run_command(CLI::App& app, const Runtime& runtime, int& exit_code);
void add_data_command(CLI::App& app, int& exit_code);
void add_report_command(CLI::App& app);
void add_reproduce_command(CLI::App& app, const Runtime& runtime, int& exit_code);
void add_list_command(CLI::App& app);

}  // namespace driftless
