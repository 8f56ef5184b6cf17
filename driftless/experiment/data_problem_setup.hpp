#pragma once

#include <memory>

#include "driftless/config/config.hpp"
#include "driftless/experiment/setup.hpp"

namespace driftless {

// Which node has which samples, as a config asks for it. Only labels and classes are looked at.
Partition partition_of(const ExperimentConfig& config, const Dataset& train, NodeId nodes);

// The problem that a config describes on data that are loaded. Throws ConfigError where the model
// or the split does not go with them.
RunProblem make_data_problem(const ExperimentConfig& config,
                             std::shared_ptr<const LabelledData> data, NodeId nodes);

}  // namespace driftless
