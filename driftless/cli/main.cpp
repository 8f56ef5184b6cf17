#include <fmt/format.h>

#include <exception>

#include "driftless/base/error.hpp"
#include "driftless/base/version.hpp"
#include "driftless/cli/commands.hpp"
#include "driftless/cli/topology.hpp"

int main(int argc, char** argv) {
  using namespace driftless;
  int exit_code = exit_done;
  try {
    CLI::App app(
        "Driftless trains one model over many nodes that keep their own data, talk only to "
        "their neighbours, and talk rarely.",
        "driftless");
    app.set_version_flag("--version", "driftless " + version());
    app.require_subcommand(1);
    app.footer(
        "Exit codes: 0 done, 1 the run failed (diverged, disk full), 2 the request was wrong.");
    add_run_command(app, exit_code);
    add_topology_command(app);
    add_list_command(app);
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return app.exit(error) == 0 ? exit_done : exit_wrong;  // prints the help or the fault
    }
    return exit_code;
  } catch (const InputError& error) {
    fmt::print(stderr, "driftless: {}\n", error.what());
    return exit_wrong;
  } catch (const std::exception& error) {
    fmt::print(stderr, "driftless: {}\n", error.what());
    return exit_failed;
  }
}
