#include "driftless/cli/program.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "driftless/base/version.hpp"
#include "driftless/cli/commands.hpp"
#include "driftless/cli/complaint.hpp"
#include "driftless/cli/completion.hpp"
#include "driftless/cli/same_command.hpp"
#include "driftless/cli/standard_streams.hpp"
#include "driftless/network/mpi/mpi_runtime.hpp"

namespace driftless {
namespace {

// CLI11 gives the words on options a column of their own.
void print_help(const std::string& text) {
  constexpr std::size_t column = 30;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    print_wrapped(line + '\n', line.starts_with(' ') ? column : 0);
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
  add_peer_command(app, exit_code);
  add_report_command(app);
  add_watch_command(app);
  add_predict_command(app);
  add_topology_command(app);
  add_data_command(app, exit_code);
  add_reproduce_command(app, ranks, exit_code);
  add_list_command(app);
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (!words.empty() && words.front() == completion_command) {
    fmt::print("{}", completions(app, {words.begin() + 1, words.end()}));
    return exit_done;
  }
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
    if (ranks.first()) print_help(text.str());
    return exit_done;
  } catch (const CLI::ParseError& error) {
    agree_on_command(ranks, app, complaint(app, error));
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
    if (ranks.count() == 1) {
      return fail(fmt::format("{}; start again to go on from where this site was", silent.what()));
    }
    return fail(
        fmt::format("{}; it is stopped, cut off, or at work for longer than --timeout "
                    "allows. --resume goes on from the last checkpoint",
                    silent.what()));
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

}  // namespace driftless
