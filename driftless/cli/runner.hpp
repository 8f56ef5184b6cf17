#pragma once

#include <span>
#include <string>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/cli/progress.hpp"
#include "driftless/cli/run_request.hpp"
#include "driftless/experiment/execute.hpp"
#include "driftless/record/figures.hpp"

namespace driftless {

// What is wrong with the input that the work needs; empty when nothing is.
template <class Work>
std::string fault_in(const Work& work) {
  try {
    work();
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

// Planned runs as the program does them: each leaves its folder below --out or, with --resume,
// continues what is there; a signal stops them; progress is shown. All ranks call the same.
class Runner {
 public:
  Runner(const RunRequest& request, const Setup& setup, const Runtime& ranks, Progress& progress);

  // What the folders hold of the runs, as the first rank sees it and tells; nothing without
  // --resume. Every rank throws the same ConfigError where a folder cannot be continued.
  std::vector<FoundRun> find(std::span<const PlannedRun> runs) const;

  // Does what is left of the runs that are not left out (unset: none), and adds to the figures of
  // each, also of what was done before.
  void execute(std::span<const PlannedRun> runs, std::vector<FoundRun> found,
               std::vector<RunFigures>& figures, const std::vector<bool>& left_out = {});

 private:
  const RunRequest& request_;
  const Setup& setup_;
  const Runtime& ranks_;
  Progress& progress_;
  int threads_;
};

}  // namespace driftless
