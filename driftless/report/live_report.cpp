#include "driftless/report/live_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/record/manifest.hpp"
#include "driftless/record/summary_file.hpp"
#include "driftless/report/report_data.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Those of a sweep's runs that are compared, as it has listed them; none where it does not tell, as
// one of an earlier version.
std::vector<fs::path> compared_runs(const fs::path& sweep) {
  try {
    std::vector<fs::path> listed = listed_runs(Folder(sweep));
    std::erase_if(listed,
                  [](const fs::path& run) { return std::ranges::find(run, "tune") != run.end(); });
    return listed;
  } catch (const std::exception&) {
    return {};
  }
}

// How many runs there are going to be.
std::size_t planned_runs(const std::vector<RecordedRun>& runs) {
  std::set<fs::path> planned;
  std::set<fs::path> sweeps;
  for (const RecordedRun& run : runs) {
    planned.insert(run.folder);
    if (run.experiment == run.folder || !sweeps.insert(run.experiment).second) continue;
    for (const fs::path& listed : compared_runs(run.experiment))
      planned.insert(run.experiment / listed);
  }
  return planned.size();
}

bool has_rows(const RecordedRun& run) { return !run.metrics.rows.empty(); }

}  // namespace

LiveReport::LiveReport(std::vector<fs::path> folders, FigureChoice choice,
                       std::function<void(const std::string&)> tell)
    : watched_(std::move(folders)),
      choice_(std::move(choice)),
      tell_(std::move(tell)),
      first_version_(
          fmt::format("{}", std::chrono::system_clock::now().time_since_epoch().count())) {}

std::shared_ptr<const LiveData> LiveReport::newest() {
  const std::scoped_lock one_at_a_time(mutex_);
  const Clock::time_point begin = Clock::now();
  if (newest_ && begin < next_look_) return newest_;
  if (watched_.look() || !newest_) newest_ = made();
  const Clock::time_point end = Clock::now();
  next_look_ = end + std::max<Clock::duration>(std::chrono::milliseconds(200), 9 * (end - begin));
  return newest_;
}

std::shared_ptr<const LiveData> LiveReport::made() {
  const std::vector<RecordedRun>& runs = watched_.runs();
  std::vector<std::string> faults = watched_.faults();
  auto live = std::make_shared<LiveData>();
  live->version = fmt::format("{}.{}", first_version_, ++versions_);
  try {
    if (std::ranges::any_of(runs, has_rows)) {
      const Comparison comparison = compare(runs);
      live->data = report_data(runs, comparison, checked(choice_, comparison));
    }
  } catch (const std::exception& error) {  // files may vanish meanwhile
    live->data.clear();
    faults.emplace_back(error.what());
  }
  for (const std::string& fault : faults)
    if (told_.insert(fault).second) tell_(fault);
  Json& state = live->data["live"];
  state["version"] = live->version;
  state["begun"] = runs.size();
  state["planned"] = planned_runs(runs);
  state["seconds_since_row"] = or_null(watched_.seconds_since_row());
  state["awaited"] = Json::array();
  for (const fs::path& folder : watched_.awaited()) state["awaited"].push_back(folder.string());
  state["faults"] = faults;
  return live;
}

}  // namespace driftless
