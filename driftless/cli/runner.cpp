#include "driftless/cli/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "driftless/cli/commands.hpp"
#include "driftless/cli/stop_signal.hpp"
#include "driftless/record/run_folder.hpp"

namespace driftless {

namespace {

namespace fs = std::filesystem;

class ProgramRecorder final : public RunFolder {
 public:
  ProgramRecorder(const fs::path& folder, const PlannedRun& run, int threads, FoundRun found,
                  RunFigures& figures, Progress& progress)
      : RunFolder(folder, run, threads, std::move(found)),
        rounds_(run.config.run.rounds),
        figures_(figures),
        progress_(progress) {}

  void evaluated(const Metrics& row) override {
    RunFolder::evaluated(row);
    figures_.add(row);
    progress_.evaluated(row.loss);
  }
  void round_done(Round) override { progress_.rounds_done(1); }
  bool wants_stop() override { return stop_signal() != 0; }
  void ended(const RunEnd& end) override {
    RunFolder::ended(end);
    figures_.end(end.result);
    progress_.run_ended(rounds_ - end.result.last.round);
  }

 private:
  Round rounds_;
  RunFigures& figures_;
  Progress& progress_;
};

// A rank that is not the first: takes part, and leaves files and words to that one.
class Bystander final : public RunRecorder {
 public:
  bool wants_stop() override { return stop_signal() != 0; }
  void save(const RunState& state) override { write_checkpoint("", "", state); }
  void ended(const RunEnd&) override {}
};

int threads_of(const RunRequest& request, const Runtime& ranks) {
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return request.threads.value_or(std::max(1, cores / ranks.on_this_machine()));
}

}  // namespace

Runner::Runner(const RunRequest& request, const Setup& setup, const Runtime& ranks,
               Progress& progress)
    : request_(request),
      setup_(setup),
      ranks_(ranks),
      progress_(progress),
      threads_(threads_of(request, ranks)) {}

std::vector<FoundRun> Runner::find(std::span<const PlannedRun> runs) const {
  std::vector<FoundRun> found(runs.size());
  if (!request_.resume) return found;
  ranks_.agree(fault_in([&] {
                 if (!ranks_.first()) return;
                 for (std::size_t k = 0; k < runs.size(); ++k) {
                   found[k] = find_run(request_.out / runs[k].folder, runs[k].config);
                 }
               }),
               0);
  if (!ranks_.first()) return found;
  for (const FoundRun& run : found) {
    for (const std::string& warning : run.warnings) {
      fmt::print(stderr, "driftless: warning: {}; it is not used\n", warning);
    }
  }
  if (!request_.quiet) fmt::print(stderr, "driftless: {}\n", told_of(found, runs));
  return found;
}

void Runner::execute(std::span<const PlannedRun> runs, std::vector<FoundRun> found,
                     std::vector<RunFigures>& figures, const std::vector<bool>& left_out) {
  std::string skipped;  // "1" for every run that has nothing left to do, as the first rank knows
  for (std::size_t k = 0; k < runs.size(); ++k) {
    for (const Metrics& row : found[k].rows) figures[k].add(row);
    if (found[k].ended) figures[k].end(*found[k].ended);
    const bool skip = found[k].ended || (!left_out.empty() && left_out[k]);
    skipped += skip ? '1' : '0';
    if (skip) {
      progress_.leave_out(1, runs[k].config.run.rounds);
    } else if (found[k].checkpoint) {
      progress_.leave_out(0, found[k].checkpoint->position.round);
    }
  }
  skipped = ranks_.broadcast(skipped);
  const auto recorder_of = [&](std::size_t k) -> std::unique_ptr<RunRecorder> {
    if (skipped[k] == '1' || ranks_.any(stop_signal() != 0)) return nullptr;
    if (!ranks_.first()) return std::make_unique<Bystander>();
    return std::make_unique<ProgramRecorder>(request_.out / runs[k].folder, runs[k], threads_,
                                             std::move(found[k]), figures[k], progress_);
  };
  try {
    execute_all(runs, setup_, threads_, recorder_of, ranks_);
  } catch (const InputError& error) {
    // What the first rank finds in its rows, the others do not know of: they wait for it.
    if (ranks_.count() == 1) throw;
    fmt::print(stderr, "driftless: rank {}: {}\n", ranks_.rank(), error.what());
    ranks_.abort(exit_wrong);
  }
}

}  // namespace driftless
