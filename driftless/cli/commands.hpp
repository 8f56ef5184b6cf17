#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

#include "driftless/base/error.hpp"
#include "driftless/cli/terminal.hpp"
#include "driftless/network/runtime.hpp"

namespace driftless {

// The program's exit codes.
constexpr int exit_done = 0;
constexpr int exit_failed = 1;  // a run diverged, the disk is full, …
constexpr int exit_wrong = 2;   // the request makes no sense: nothing was done

// Each adds its subcommand; when it is the one, it does the work and sets exit_code.
CLI::App* add_run_command(CLI::App& app, Runtime& runtime, int& exit_code);
void add_report_command(CLI::App& app);
void add_watch_command(CLI::App& app);
void add_topology_command(CLI::App& app);
void add_data_command(CLI::App& app, int& exit_code);
void add_data_fetch_command(CLI::App& data, int& exit_code);
void add_data_show_command(CLI::App& data);
void add_reproduce_command(CLI::App& app, const Runtime& runtime, int& exit_code);
void add_list_command(CLI::App& app);
void add_predict_command(CLI::App& app);
void add_peer_command(CLI::App& app, int& exit_code);

// `--out DIR`: an option with the name of what it takes.
template <class Value>
CLI::Option* add_option(CLI::App* command, const std::string& names, Value& value,
                        const std::string& doc, const std::string& takes) {
  return command->add_option(names, value, doc)->type_name(takes);
}

// Tells on standard error. Words that cannot be written there are lost, and nothing else: a run
// goes on without them. Few words take no memory, of which there may be none left.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  fmt::memory_buffer text;
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

// A line of what a command tells on standard output.
inline void print_line(const char* name, const std::string& value) {
  print_wrapped(fmt::format("{:<16}{}\n", name, value), 16);
}

// Writes the file that an option names. One that cannot be written is a fault of the request.
template <class Write>
void write_asked(const char* option, const std::string& file, const Write& write) {
  try {
    write();
  } catch (const std::system_error& error) {
    throw ConfigError("{} {}: {}; choose another file", option, file, error.what());
  }
}

}  // namespace driftless
