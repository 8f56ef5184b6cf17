#pragma once

#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "driftless/record/recorded_run.hpp"
#include "driftless/reproduce/sample.hpp"

namespace driftless {

// A figure of one run; NaN where it has none.
using Reading = std::function<double(const RecordedRun&)>;

Reading final_mean(std::string column);  // over the rows of the last fifth of the rounds
// Rounds until the column stays below a target for good.
Reading rounds_below(std::string column, double target);
// Rounds until the column is first at a target or above it; all rounds of a run that does not get
// there.
Reading rounds_to(std::string column, double target);
Reading last_value(std::string column);
// The same, but 0 for a run that diverged: of accuracies, where to have no model is the worst.
Reading zero_if_diverged(Reading reading);

// The runs of an experiment, asked by their settings.
class Measured {
 public:
  explicit Measured(const std::filesystem::path& folder) : Measured(folder, folder.string()) {}
  // `name` is what samples call the experiment; runs with higher seeds are left out.
  Measured(const std::filesystem::path& folder, std::string name,
           std::int64_t last_seed = std::numeric_limits<std::int64_t>::max());

  // A value for each seed, in ascending order. Runs that are not done yet have none.
  Sample operator()(const Where& where, const Reading& reading) const;

 private:
  std::string name_;
  std::int64_t last_seed_;
  std::vector<RecordedRun> runs_;
};

// All that was run for the reproduction in a folder: its experiments by their names, each read when
// it is first asked for.
class Evidence {
 public:
  explicit Evidence(std::filesystem::path folder,
                    std::int64_t last_seed = std::numeric_limits<std::int64_t>::max())
      : folder_(std::move(folder)), last_seed_(last_seed) {}

  const Measured& of(const std::string& experiment);
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  std::int64_t last_seed_;
  std::map<std::string, Measured> experiments_;
};

}  // namespace driftless
