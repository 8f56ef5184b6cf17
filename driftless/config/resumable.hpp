#pragma once

#include <string>

#include "driftless/config/config.hpp"

namespace driftless {

// Why a run that was begun with one config and has done some rounds cannot be continued with
// another: every key that differs, with both values. Empty when it can: more rounds are no other
// run, unless the rates depend on their number, nor is another target or other checkpoints.
std::string why_not_resumable(const ExperimentConfig& begun, const ExperimentConfig& now,
                              Round rounds_done);

}  // namespace driftless
