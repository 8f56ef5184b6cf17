#pragma once

#include <optional>
#include <vector>

#include "driftless/config/config_file.hpp"
#include "driftless/config/plan.hpp"

namespace driftless {

// [tune] with its defaults filled in; none where there is nothing to tune. Faults that show
// in the config outside of sweeps, `base`, go to `file.faults`.
std::optional<Tuning> resolve_tuning(ConfigFile& file, const ExperimentConfig& base);

// Adds the faults that show with the config of one combination, whose `run.repetitions` are those
// of the final runs.
void check_tuning(const TuneConfig& tune, const ExperimentConfig& config, ConfigFile& file);

// A config's repetitions, with the seeds from its own on; in `folder`, numbered or not.
std::vector<PlannedRun> repetitions_of(ExperimentConfig config, int repetitions,
                                       const std::string& combination,
                                       const std::filesystem::path& folder, bool numbered);

// The candidates of one combination: `configs` are its configs at the points of the grid.
std::vector<Candidate> tuning_candidates(const Tuning& tuning, const SweepGrid& grid,
                                         const std::vector<ExperimentConfig>& configs,
                                         const std::string& combination);

// One more candidate beyond the grid, where the values of the chosen one lie at its edges; none
// where they do not, or where the keys allow of no further value.
std::optional<Candidate> beyond_the_grid(const Tuning& tuning, const Combination& combination,
                                         std::size_t chosen);

}  // namespace driftless
