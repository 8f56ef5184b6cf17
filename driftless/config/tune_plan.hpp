#pragma once

#include <optional>
#include <vector>

#include "driftless/config/config_file.hpp"
#include "driftless/config/sweep_plan.hpp"

namespace driftless {

// [tune] with its defaults filled in; none where there is nothing to tune. Faults that show
// without the rest of the config go to `file.faults`.
std::optional<TuneConfig> resolve_tuning(ConfigFile& file, const TuneConfig& given);

// Adds the faults that show with the config of one combination, whose `run.repetitions` are those
// of the final runs.
void check_tuning(const TuneConfig& tune, const ExperimentConfig& config, ConfigFile& file);

// A plan without runs.
TunePlan begin_tuning(const TuneConfig& tune, const SweepGrid& grid);

// Adds the tuning runs of one combination: `candidates` are its configs at the points of the grid.
void add_tuning_runs(const PlannedRun& combination, const std::vector<ExperimentConfig>& candidates,
                     TunePlan& plan);

}  // namespace driftless
