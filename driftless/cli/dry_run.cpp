#include "driftless/cli/dry_run.hpp"

#include <sys/resource.h>

#include <algorithm>

#include "driftless/base/parallel.hpp"
#include "driftless/cli/commands.hpp"
#include "driftless/experiment/estimate.hpp"
#include "driftless/record/result_text.hpp"

namespace driftless {
namespace {

// Runs of one combination take alike, so one of each is tried. Of many combinations some tell
// enough.
constexpr std::size_t most_trials = 12;

struct Guess {
  double seconds = 0;
  double largest_bytes = 0;  // of one run
};

Guess guess_of(const ExperimentPlan& plan, const Setup& setup) {
  const std::size_t step = (plan.combinations.size() + most_trials - 1) / most_trials;
  Guess guess;
  double tried = 0;
  double all = 0;
  for (std::size_t k = 0; k < plan.combinations.size(); ++k) {
    const Combination& combination = plan.combinations[k];
    double rounds = 0;
    for (const PlannedRun& run : combination.runs)
      rounds += static_cast<double>(run.config.run.rounds);
    for (const Candidate& candidate : combination.candidates) {
      for (const PlannedRun& run : candidate.runs)
        rounds += static_cast<double>(run.config.run.rounds);
    }
    all += rounds;
    if (k % step != 0) continue;
    const PlannedRun& run = combination.runs.front();
    const RunEstimate one = estimate_run(run, setup);
    guess.seconds += one.seconds * rounds / static_cast<double>(run.config.run.rounds);
    guess.largest_bytes = std::max(guess.largest_bytes, one.bytes);
    tried += rounds;
  }
  guess.seconds *= all / tried;
  return guess;
}

double bytes_in_use() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return 1024.0 * static_cast<double>(used.ru_maxrss);
}

void print_folders(const ExperimentPlan& plan, const std::filesystem::path& out) {
  constexpr std::size_t most = 20;
  const std::vector<const PlannedRun*> runs = plan.all_runs();
  for (std::size_t k = 0; k < std::min(runs.size(), most); ++k) {
    print_line(k == 0 ? "folders" : "", (out / runs[k]->folder).lexically_normal().string());
  }
  if (runs.size() > most) print_line("", fmt::format("and {} more", runs.size() - most));
}

}  // namespace

void tell_dry_run(const ExperimentPlan& plan, const Setup& setup, const std::filesystem::path& out,
                  int threads) {
  const std::size_t runs = plan.runs().size();
  const std::size_t tuning = plan.tuning_runs().size();
  print_line("runs", tuning == 0 ? std::to_string(runs)
                                 : fmt::format("{}, after {} to tune", runs, tuning));
  print_folders(plan, out);
  Guess guess;
  on_threads(threads, [&] { guess = guess_of(plan, setup); });
  const double side_by_side =
      std::min(static_cast<double>(threads), static_cast<double>(runs + tuning));
  print_line("memory",
             fmt::format("some {}, data included",
                         readable_bytes(bytes_in_use() + side_by_side * guess.largest_bytes)));
  const std::string time =
      guess.seconds < 1 ? "less than a second" : "some " + readable_time(guess.seconds);
  print_line("time", fmt::format("{} on {} thread{}, by a trial of a few rounds", time, threads,
                                 threads == 1 ? "" : "s"));
  print_line("written", "nothing: leave --dry-run out to run it");
}

}  // namespace driftless
