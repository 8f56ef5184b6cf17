#pragma once

#include <string>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/config/plan.hpp"

namespace driftless::testing_config {

using Texts = std::vector<std::string>;

// What a config cannot do without, for cases that are about something else.
inline const std::string needed =
    "\n[algorithm]\nkind = 'k-gt'\nlocal_rate = 1e-3\n[run]\nrounds = 9\n";
inline const std::string run_section = "\n[run]\nrounds = 9\n";
inline const std::string algorithm_section = "\n[algorithm]\nkind = 'k-gt'\nlocal_rate = 1e-3\n";

inline ExperimentPlan plan_of(const std::string& text, const Texts& overrides = {}) {
  return plan_experiment(text, "test.toml", "/folder", overrides);
}

inline std::string error_of(const std::string& text, const Texts& overrides = {}) {
  try {
    plan_experiment(text, "bad.toml", "/folder", overrides);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace driftless::testing_config
