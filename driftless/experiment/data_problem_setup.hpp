#pragma once

#include <memory>

#include "driftless/experiment/config.hpp"
#include "driftless/experiment/setup.hpp"

namespace driftless {

// The problem that a config describes on data that are loaded. Throws ConfigError where the model
// or the split does not go with them.
RunProblem make_data_problem(const ExperimentConfig& config,
                             std::shared_ptr<const LabelledData> data, NodeId nodes);

}  // namespace driftless
