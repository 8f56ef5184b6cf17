#pragma once

#include <filesystem>
#include <memory>

#include "driftless/base/file.hpp"
#include "driftless/config/plan.hpp"

namespace driftless {

// Where an experiment leaves its results, and what is to be done with what lies there.
struct Output {
  std::filesystem::path folder;
  bool force = false;   // replace it
  bool resume = false;  // continue it
};

// Makes the folder, or throws ConfigError with the reason why it cannot be used, before anything
// is computed. What it returns keeps others out as long as it lives.
std::unique_ptr<Opened> prepare_folder(const Output& output, const ExperimentPlan& plan);

}  // namespace driftless
