#include "driftless/record/experiment_run.hpp"

#include <algorithm>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "driftless/base/error.hpp"
#include "driftless/base/file.hpp"
#include "driftless/base/parallel.hpp"
#include "driftless/config/tune_plan.hpp"
#include "driftless/record/manifest.hpp"
#include "driftless/record/run_folder.hpp"
#include "driftless/record/sweep_folder.hpp"

namespace driftless {
namespace {

// Adds what a run tells to its digest.
class Digesting final : public RunObserver {
 public:
  explicit Digesting(RunDigest& digest) : digest_(digest) {}
  void evaluated(const Metrics& row) override { digest_.add(row); }
  void ended(const RunEnd& end) override {
    const NodeFigures* worst = end.quality ? end.quality->worst() : nullptr;
    digest_.end(end.result, worst != nullptr ? worst->site : "");
  }

 private:
  RunDigest& digest_;
};

}  // namespace

ExperimentRun::ExperimentRun(ExperimentPlan& plan, const Setup& setup, const Runtime& runtime,
                             const ExperimentRunOptions& options, ExperimentListener& listener)
    : plan_(plan),
      setup_(setup),
      runtime_(runtime),
      options_(options),
      listener_(listener),
      elsewhere_(runtime.first() ? options.reuse : std::vector<std::filesystem::path>()) {
  const TuneConfig* tune = plan.tuning ? &plan.tuning->config : nullptr;
  for (const PlannedRun* run : plan.tuning_runs())
    digests_.emplace(run, RunDigest(run->config.run.rounds, plan.target, tune));
  for (const PlannedRun* run : plan.runs())
    digests_.emplace(run, RunDigest(run->config.run.rounds, plan.target));
}

Results ExperimentRun::run() {
  Results results;
  for (const Combination& combination : plan_.combinations)
    results.push_back({.plan = &combination});
  find(plan_.tuning ? plan_.tuning_runs() : plan_.runs());
  if (plan_.tuning) {
    tune(results);
    find_final_runs();
  }
  begin();
  do_runs(chosen_runs(results));
  for (CombinationResult& result : results)
    for (const PlannedRun& run : result.plan->runs) result.runs.push_back(digests_.at(&run));
  if (writes_sweep()) write_sweep(*options_.folder, plan_, results, options_.overrides);
  return results;
}

// Where the tuning was done before, what was chosen can be refused before anything is written.
void ExperimentRun::find_final_runs() {
  try {
    find(plan_.runs());
  } catch (const InputError& error) {
    if (!begun_) throw;
    throw std::runtime_error(error.what());  // no refusal any more
  }
}

// Before the first run, and again where the plan has grown.
void ExperimentRun::begin() {
  if (writes_sweep()) {
    const Folder& folder = *options_.folder;
    write_manifest(folder, plan_);
    if (!begun_) write_file_atomically(folder, "experiment.toml", options_.source);
    folder.remove("summary.json");  // of one interrupted before
  }
  begun_ = true;
}

ExperimentRun::Runs ExperimentRun::chosen_runs(const Results& results) {
  Runs chosen;
  for (const CombinationResult& result : results) {
    for (const PlannedRun& run : result.plan->runs) {
      if (!plan_.tuning || result.chosen) {
        chosen.push_back(&run);
      } else {
        listener_.skipped(run);
      }
    }
  }
  return chosen;
}

void ExperimentRun::tune(Results& results) {
  do_runs(plan_.tuning_runs());
  choose(results);
  for (int further = plan_.tuning->config.widen.value_or(0); further > 0; --further) {
    const Runs more = widen(results);
    if (more.empty()) return;
    find(more);
    do_runs(more);
    choose(results);
  }
}

// All processes choose alike; the first one alone knows the scores.
void ExperimentRun::choose(Results& results) {
  std::vector<std::int64_t> choices;  // -1: none
  for (CombinationResult& result : results) {
    result.candidates.clear();
    for (const Candidate& candidate : result.plan->candidates) {
      std::vector<RunScore> scores;
      for (const PlannedRun& run : candidate.runs) scores.push_back(*digests_.at(&run).score());
      result.candidates.push_back(score_of(scores));
    }
    const auto best = best_of(result.candidates, plan_.tuning->config);
    choices.push_back(best ? static_cast<std::int64_t>(*best) : -1);
  }
  choices = runtime_.gather_numbers(choices);  // those of the first process first
  for (std::size_t c = 0; c < results.size(); ++c) {
    results[c].chosen.reset();
    if (choices[c] < 0) continue;
    results[c].chosen = static_cast<std::size_t>(choices[c]);
    plan_.combinations[c].choose(*results[c].chosen);
  }
}

// Adds a candidate to each combination whose best one lies at the edge of the grid, and gives the
// runs of all of them.
ExperimentRun::Runs ExperimentRun::widen(const Results& results) {
  Runs added;
  for (std::size_t c = 0; c < results.size(); ++c) {
    if (!results[c].chosen) continue;
    Combination& combination = plan_.combinations[c];
    auto further = beyond_the_grid(*plan_.tuning, combination, *results[c].chosen);
    if (!further) continue;
    combination.candidates.push_back(std::move(*further));
    for (const PlannedRun& run : combination.candidates.back().runs) {
      digests_.emplace(&run, RunDigest(run.config.run.rounds, plan_.target, &plan_.tuning->config));
      if (runtime_.first()) listener_.added(run);
      added.push_back(&run);
    }
  }
  return added;
}

// What the folders hold, as the first process sees it; nothing unless runs are to be continued.
void ExperimentRun::find(const Runs& runs) {
  if (!options_.resume) return;
  std::vector<FoundRun> found(runs.size());
  std::vector<std::string> faults(runs.size());  // of a sweep, the first is told
  const auto look = [&](Index index) {
    const auto k = static_cast<std::size_t>(index);
    faults[k] = fault_in([&] {
      try {
        found[k] = find_run(*options_.folder, *runs[k], setup_.inputs(runs[k]->config));
      } catch (const std::system_error& error) {
        throw DataError("--resume: {}; nothing was changed", error.what());
      }
    });
  };
  if (runtime_.first()) on_threads(options_.threads, [&] { parallel(std::ssize(runs), look); });
  const auto first = std::ranges::find_if(faults, [](const auto& fault) { return !fault.empty(); });
  runtime_.agree(first == faults.end() ? "" : *first, 0);
  if (runtime_.first()) listener_.found(runs, found);
  for (std::size_t k = 0; k < runs.size(); ++k) found_[runs[k]] = std::move(found[k]);
}

// Those runs that were done elsewhere and not here.
void ExperimentRun::take_over(const Runs& runs) {
  if (!runtime_.first() || options_.reuse.empty()) return;
  for (const PlannedRun* run : runs) {
    FoundRun& found = found_[run];
    if (found.ended || found.checkpoint) continue;
    const FileSums inputs = setup_.inputs(run->config);
    const std::optional<Folder> elsewhere = elsewhere_.find(*run, inputs);
    if (!elsewhere) continue;
    if (!begun_) begin();
    copy_run(*elsewhere, options_.folder->make_below(run->folder));
    found = find_run(*options_.folder, *run, inputs);
    listener_.taken_over(*run);
  }
}

// Does what is left of the runs, and digests also what was done before.
void ExperimentRun::do_runs(const Runs& runs) {
  take_over(runs);
  std::string left;  // "1" for every run that has something left to do, as the first process knows
  for (const PlannedRun* run : runs) {
    const FoundRun& found = found_[run];
    RunDigest& digest = digests_.at(run);
    for (const Metrics& row : found.rows) digest.add(row);
    if (found.ended) digest.end(*found.ended);
    left += found.ended ? '0' : '1';
  }
  left = runtime_.broadcast(left);
  Runs to_do;
  for (std::size_t k = 0; k < runs.size(); ++k)
    if (left[k] == '1') to_do.push_back(runs[k]);
  if (to_do.empty()) return;
  begin();
  execute(to_do, setup_, runtime_,
          {.threads = options_.threads,
           .wants_stop = options_.wants_stop,
           .follow = [this](const PlannedRun& run) { return follow(run); }});
}

Followers ExperimentRun::follow(const PlannedRun& run) {
  FoundRun& found = found_.at(&run);
  Followers followers;
  if (options_.folder != nullptr) {
    Folder folder = options_.folder->make_below(run.folder);
    if (found.checkpoint) {  // the folder may have been moved since
      const std::filesystem::path name = found.checkpoint->file.filename();
      found.checkpoint->file = folder.where() / "checkpoints" / name;
    }
    followers.observers.push_back(
        std::make_unique<RunFolder>(std::move(folder), run, options_.threads, found));
  }
  followers.observers.push_back(std::make_unique<Digesting>(digests_.at(&run)));
  listener_.follow(run, followers.observers);
  followers.from = std::move(found.checkpoint);
  found.rows.clear();
  return followers;
}

}  // namespace driftless
