#pragma once

#include "driftless/experiment/setup.hpp"

namespace driftless {

// Tells on standard output what the plan would do, without doing it: its runs and where they go,
// what memory they take, and how long it may last.
void tell_dry_run(const ExperimentPlan& plan, const Setup& setup, const std::filesystem::path& out,
                  int threads);

}  // namespace driftless
