#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "driftless/record/recorded_run.hpp"

namespace driftless {

// A figure of one run; NaN where it has none.
using Reading = std::function<double(const RecordedRun&)>;

Reading final_mean(std::string column);  // over the rows of the last fifth of the rounds
// Rounds until the column stays below a target for good.
Reading rounds_below(std::string column, double target);
Reading last_value(std::string column);
// The same, but 0 for a run that diverged: of accuracies, where to have no model is the worst.
Reading zero_if_diverged(Reading reading);

// Config keys and the values they have.
using Where = std::map<std::string, std::string>;

// The runs of an experiment, asked by their settings.
class Measured {
 public:
  explicit Measured(const std::filesystem::path& folder);

  // A value for each seed, in ascending order.
  std::vector<double> operator()(const Where& where, const Reading& reading) const;

 private:
  std::vector<RecordedRun> runs_;
};

}  // namespace driftless
