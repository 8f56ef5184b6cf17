#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driftless/experiment/execute.hpp"
#include "driftless/record/digest.hpp"
#include "driftless/record/finished_runs.hpp"
#include "driftless/record/found_run.hpp"

namespace driftless {

// Who wants to know how an experiment goes on. Only the first process tells.
class ExperimentListener {
 public:
  ExperimentListener() = default;
  ExperimentListener(const ExperimentListener&) = delete;
  ExperimentListener& operator=(const ExperimentListener&) = delete;
  virtual ~ExperimentListener() = default;

  // What the folders hold of these runs, which are to be continued.
  virtual void found(std::span<const PlannedRun* const> runs, std::span<const FoundRun> found) {
    (void)runs, (void)found;
  }
  // The run was done elsewhere, and its files were copied.
  virtual void taken_over(const PlannedRun& run) { (void)run; }
  // One more run than was planned, beyond the grid of [tune].
  virtual void added(const PlannedRun& run) { (void)run; }
  // The run will not begin: there was nothing to choose for it.
  virtual void skipped(const PlannedRun& run) { (void)run; }
  // The run begins: who else is to follow it. Called from any thread.
  virtual void follow(const PlannedRun& run, RunObservers& observers) {
    (void)run, (void)observers;
  }
};

struct ExperimentRunOptions {
  // That was prepared, in the first process. Null there: the runs leave no files, and a listener's
  // observers alone see what comes of them.
  const Folder* folder = nullptr;
  bool resume = false;  // continue what it holds
  // Where runs of the same configs may have been done before: they are copied, not done again.
  std::vector<std::filesystem::path> reuse = {};
  std::string source = {};                  // the text of the config file, which a sweep keeps
  std::vector<std::string> overrides = {};  // as they were given, for the record
  int threads = 1;
  std::function<bool()> wants_stop = [] { return false; };
};

// Does a plan: tunes it, chooses, runs it, and leaves the files of every run and of the sweep below
// the folder, if there is one. All processes call it; the first one has the results.
class ExperimentRun {
 public:
  // `plan` gets the chosen values.
  ExperimentRun(ExperimentPlan& plan, const Setup& setup, const Runtime& runtime,
                const ExperimentRunOptions& options, ExperimentListener& listener);

  // Throws ConfigError, in all processes, where a folder cannot be continued.
  Results run();

 private:
  using Runs = std::vector<const PlannedRun*>;

  // Whether this process writes the files of a sweep.
  bool writes_sweep() const { return options_.folder != nullptr && plan_.is_sweep(); }
  void find(const Runs& runs);
  void find_final_runs();
  void begin();
  void do_runs(const Runs& runs);
  void take_over(const Runs& runs);
  Runs chosen_runs(const Results& results);
  Followers follow(const PlannedRun& run);
  void tune(Results& results);
  void choose(Results& results);
  Runs widen(const Results& results);

  ExperimentPlan& plan_;
  const Setup& setup_;
  const Runtime& runtime_;
  const ExperimentRunOptions& options_;
  ExperimentListener& listener_;
  FinishedRuns elsewhere_;
  bool begun_ = false;  // something was written, so that a refusal comes too late
  std::map<const PlannedRun*, FoundRun> found_;
  std::map<const PlannedRun*, RunDigest> digests_;
};

}  // namespace driftless
