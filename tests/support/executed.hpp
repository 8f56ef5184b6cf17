#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "driftless/experiment/execute.hpp"

namespace driftless::testing {

// A plan of these runs, one after the other.
inline ExperimentPlan plan_of(const std::vector<ExperimentConfig>& configs) {
  ExperimentPlan plan;
  Combination& combination = plan.combinations.emplace_back();
  for (const ExperimentConfig& config : configs) combination.runs.emplace_back().config = config;
  return plan;
}

// Does the runs of a plan in this process; `observer_of(k)` gives the observer of run k.
template <class ObserverOf>
void execute_plan(const ExperimentPlan& plan, int threads, const ObserverOf& observer_of) {
  const std::vector<const PlannedRun*> runs = plan.runs();
  execute(runs, driftless::Setup(plan), Runtime(),
          {.threads = threads, .follow = [&](const PlannedRun& run) {
             Followers followers;
             followers.observers.push_back(observer_of(
                 static_cast<std::size_t>(std::ranges::find(runs, &run) - runs.begin())));
             return followers;
           }});
}

}  // namespace driftless::testing
