#include "driftless/cli/program.hpp"

#include <fmt/format.h>

#include <exception>
#include <new>
#include <string_view>

#include "driftless/base/text.hpp"
#include "driftless/base/version.hpp"
#include "driftless/cli/commands.hpp"
#include "driftless/network/mpi/mpi_runtime.hpp"

namespace driftless {
namespace {

// What is wrong with the command line, and where to look.
std::string complaint(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  std::string chosen;
  for (const CLI::App* level = &app; !level->get_subcommands().empty();) {
    level = level->get_subcommands().front();
    chosen += " " + level->get_name();
  }
  if (!chosen.empty()) {
    return fmt::format("{}; `driftless{} --help` shows what there is", error.what(), chosen);
  }
  std::vector<std::string_view> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  const std::string_view first = argc > 1 ? argv[1] : "";
  const std::string found = first.empty()            ? "a command is missing"
                            : first.starts_with('-') ? std::string(error.what())
                                                     : fmt::format("unknown command {}", first);
  return fmt::format("{}{}; usage: driftless COMMAND, which is {}; `driftless --help` tells more",
                     found, did_you_mean(nearest_names(first, commands)), either_of(commands));
}

}  // namespace

int program(int argc, char** argv) {
  const MpiRuntime ranks(argc, argv);
  int exit_code = exit_done;
  // One word of the whole job: what all ranks find wrong, the first one tells.
  const auto tell = [&](std::string_view text) {
    if (ranks.first()) fmt::print(stderr, "driftless: {}\n", text);
  };
  // What only this rank knows of ends the job for the others too.
  const auto fail = [&](std::string_view text) {
    if (ranks.count() == 1) {
      tell(text);
      return exit_failed;
    }
    fmt::print(stderr, "driftless: rank {}: {}\n", ranks.rank(), text);
    ranks.abort(exit_failed);
  };
  try {
    CLI::App app(
        "Driftless trains one model over many nodes that keep their own data, talk only to "
        "their neighbours, and talk rarely.",
        "driftless");
    app.set_version_flag("--version", "driftless " + version());
    app.require_subcommand(1);
    app.footer(
        "Exit codes: 0 done, 1 the run failed (diverged, disk full), 2 the request was wrong.");
    add_run_command(app, ranks, exit_code);
    add_report_command(app);
    add_topology_command(app);
    add_data_command(app, exit_code);
    add_reproduce_command(app, ranks, exit_code);
    add_list_command(app);
    try {
      app.parse(argc, argv);
    } catch (const CLI::Success& help_or_version) {
      return ranks.first() ? app.exit(help_or_version) : exit_done;  // prints it
    } catch (const CLI::ParseError& error) {
      throw ConfigError(complaint(app, error, argc, argv));
    }
    return exit_code;
  } catch (const InputError& error) {
    tell(error.what());
    return exit_wrong;
  } catch (const std::bad_alloc&) {
    return fail("the memory is used up");
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

}  // namespace driftless
