#include "driftless/cli/program.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>
#include <sstream>
#include <string_view>
#include <system_error>

#include "driftless/base/text.hpp"
#include "driftless/base/version.hpp"
#include "driftless/cli/commands.hpp"
#include "driftless/cli/same_command.hpp"
#include "driftless/cli/standard_streams.hpp"
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

// Reads the command line and does what it asks for.
int obey(int argc, char** argv, Runtime& ranks) {
  int exit_code = exit_done;
  CLI::App app(
      "Driftless trains one model over many nodes that keep their own data, talk only to "
      "their neighbours, and talk rarely.",
      "driftless");
  app.set_version_flag("--version", fmt::format("driftless {} (build {})", version(), build_id()));
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 the run failed (diverged, disk full), 2 the request was wrong.");
  CLI::App* run = add_run_command(app, ranks, exit_code);
  add_report_command(app);
  add_watch_command(app);
  add_topology_command(app);
  add_data_command(app, exit_code);
  add_reproduce_command(app, ranks, exit_code);
  add_list_command(app);
  // The command line is right; the command begins when this returns.
  app.parse_complete_callback([&] {
    agree_on_command(ranks, app, "");
    if (ranks.count() > 1 && !*run) {
      throw ConfigError("{}: runs in one process; start it without mpirun",
                        app.get_subcommands().front()->get_name());
    }
  });
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    agree_on_command(ranks, app, "");
    std::ostringstream text;
    app.exit(help_or_version, text, text);
    if (ranks.first()) fmt::print("{}", text.str());
    return exit_done;
  } catch (const CLI::ParseError& error) {
    agree_on_command(ranks, app, complaint(app, error, argc, argv));
  }
  return exit_code;
}

}  // namespace

int program(int argc, char** argv) {
  reserve_standard_streams();
  MpiRuntime ranks(argc, argv);
  // One word of the whole job: what all ranks find wrong, the first one tells.
  const auto tell = [&](std::string_view text) {
    if (ranks.first()) say("driftless: {}\n", text);
  };
  // What only this rank knows of ends the job for the others too.
  const auto fail = [&](std::string_view text) {
    if (ranks.count() == 1) {
      tell(text);
      return exit_failed;
    }
    say("driftless: rank {}: {}\n", ranks.rank(), text);
    ranks.abort(exit_failed);
  };
  try {
    const int exit_code = obey(argc, argv, ranks);
    flush_standard_output();
    ranks.any(false);  // the end is a wait too, and MPI's own has no limit
    return exit_code;
  } catch (const InputError& error) {
    tell(error.what());
    return exit_wrong;
  } catch (const std::bad_alloc&) {
    return fail("the memory is used up");
  } catch (const std::system_error& error) {
    // Whoever prints there does not say so.
    return fail(std::ferror(stdout) != 0 ? "standard output: " + error.code().message()
                                         : error.what());
  } catch (const SilentProcess& silent) {
    return fail(
        fmt::format("{}; it is stopped, cut off, or at work for longer than --timeout "
                    "allows. --resume goes on from the last checkpoint",
                    silent.what()));
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

}  // namespace driftless
