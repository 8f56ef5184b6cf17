#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "driftless/record/watched_runs.hpp"
#include "driftless/report/figure_choice.hpp"

namespace driftless {

// The report's data, with how the runs go as "live"; only that where there is nothing to report
// yet.
// NOLINTNEXTLINE(bugprone-exception-escape): it sees throws that moving JSON does not reach
struct LiveData {
  std::string version;  // others have others, also those of another process
  nlohmann::ordered_json data;
};

// A report of runs that go on, made anew when there is something new in their folders. Threads may
// share it.
class LiveReport {
 public:
  // `tell` hears of each fault once.
  LiveReport(std::vector<std::filesystem::path> folders, FigureChoice choice,
             std::function<void(const std::string&)> tell);

  // Looks at the folders, unless that was done just before: so nobody looks when nobody asks, and
  // however many ask and however much there is, looking takes a tenth of the time at most.
  std::shared_ptr<const LiveData> newest();

 private:
  using Clock = std::chrono::steady_clock;

  std::shared_ptr<const LiveData> made();

  std::mutex mutex_;
  WatchedRuns watched_;
  FigureChoice choice_;
  std::function<void(const std::string&)> tell_;
  std::set<std::string> told_;
  std::string first_version_;
  int versions_ = 0;
  Clock::time_point next_look_;
  std::shared_ptr<const LiveData> newest_;
};

}  // namespace driftless
