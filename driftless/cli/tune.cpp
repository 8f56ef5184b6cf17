#include "driftless/cli/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace driftless {

namespace {

using Choices = std::vector<std::optional<std::size_t>>;

// Those of the first rank: it has seen all rows.
Choices agreed(const std::vector<TunedCombination>& tuned, const Runtime& ranks) {
  std::string text;
  for (const TunedCombination& combination : tuned) {
    text += combination.chosen ? fmt::format("{} ", *combination.chosen) : std::string("none ");
  }
  std::istringstream words(ranks.broadcast(text));
  Choices choices;
  for (std::string word; words >> word;) {
    choices.push_back(word == "none" ? std::nullopt : std::optional(std::stoul(word)));
  }
  return choices;
}

}  // namespace

std::vector<TunedCombination> tune(ExperimentPlan& plan, std::vector<FoundRun> found,
                                   Runner& runner, const Runtime& ranks) {
  const TunePlan& tuning = *plan.tuning;
  std::vector<RunFigures> figures;
  for (const PlannedRun& run : tuning.runs)
    figures.emplace_back(run.config.run.rounds, plan.target, tuning.config);
  runner.execute(tuning.runs, std::move(found), figures);

  std::vector<RunScore> scores;
  for (const RunFigures& run : figures) scores.push_back(*run.score());
  std::vector<TunedCombination> tuned = choose(tuning, scores);
  const Choices choices = agreed(tuned, ranks);
  for (std::size_t c = 0; c < tuned.size(); ++c) tuned[c].chosen = choices[c];
  apply_choice(choices, plan);
  return tuned;
}

bool tell_untuned(const ExperimentPlan& plan, const std::vector<TunedCombination>& tuned) {
  bool any = false;
  for (std::size_t c = 0; c < tuned.size(); ++c) {
    if (tuned[c].chosen) continue;
    any = true;
    const std::string& name = plan.runs[c * static_cast<std::size_t>(plan.repetitions)].combination;
    fmt::print(stderr,
               "driftless: {}{}every point of the [tune] grid diverged, so it is not run; give the "
               "grid lower rates\n",
               name, name.empty() ? "" : ": ");
  }
  return any;
}

std::string tuning_note(const ExperimentPlan& plan, const std::vector<TunedCombination>& tuned) {
  const TunePlan& tuning = *plan.tuning;
  const TuneConfig& config = tuning.config;
  std::string text = fmt::format(
      "tuned: the best {} ({}) of {} points, {} tuning run{} each on seeds of their own\n",
      *config.metric, *config.read, tuning.grid.size(), *config.repetitions,
      *config.repetitions == 1 ? "" : "s");
  const bool edge = std::ranges::any_of(tuned, [&](const TunedCombination& combination) {
    return combination.chosen && !keys_at_edge(tuning, *combination.chosen).empty();
  });
  if (edge) text += "edge: the least or the greatest of its grid; a wider grid may do better\n";
  return text;
}

}  // namespace driftless
