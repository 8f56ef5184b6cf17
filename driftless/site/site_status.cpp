#include "driftless/site/site_status.hpp"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <system_error>
#include <utility>

#include "driftless/base/error.hpp"
#include "driftless/base/file.hpp"
#include "driftless/base/parse_json.hpp"

namespace driftless {
namespace {

using nlohmann::ordered_json;

constexpr const char* status_file = "status.json";
constexpr std::int64_t stale_after = 10;  // seconds

std::string state_of(const peers::EdgeStatus& status) {
  if (status.left) return "left";
  if (status.up) return "up";
  return status.met ? "down" : "not met";
}

std::string words_of(const nlohmann::json& neighbour) {
  const std::string state = neighbour.at("state");
  const double seconds = neighbour.at("seconds");
  std::string words = fmt::format("{} for {:.0f} s", state, seconds);
  if (const std::int64_t waiting = neighbour.at("letters_waiting"); waiting > 0) {
    words += fmt::format(", {} of our letters are on their way", waiting);
  }
  const std::string trouble = neighbour.at("trouble");
  return trouble.empty() || state == "left" ? words : words + ": " + trouble;
}

}  // namespace

StatusWriter::StatusWriter(const Folder& folder, std::string site, Round rounds,
                           std::vector<std::shared_ptr<peers::Edge>> edges)
    : folder_(folder),
      site_(std::move(site)),
      rounds_(rounds),
      edges_(std::move(edges)),
      thread_([this] { keep_writing(); }) {}

StatusWriter::~StatusWriter() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  ending_.notify_all();
  thread_.join();
}

void StatusWriter::keep_writing() {
  std::unique_lock lock(mutex_);
  for (bool last = false; !last;) {
    last = ends_;
    lock.unlock();
    try {
      write();
    } catch (const std::system_error&) {
      // A disk that is full ends the run where its checkpoint is written, and not here.
    }
    lock.lock();
    if (!last) ending_.wait_for(lock, std::chrono::seconds(1), [&] { return ends_; });
  }
}

void StatusWriter::write() const {
  ordered_json neighbours = ordered_json::array();
  for (const auto& edge : edges_) {
    const peers::EdgeStatus status = edge->status();
    neighbours.push_back({{"name", edge->neighbour()},
                          {"state", state_of(status)},
                          {"seconds", peers::now() - status.since},
                          {"letters_waiting", status.letters_waiting},
                          {"connections", status.connections},
                          {"bytes_out", status.bytes_out},
                          {"trouble", status.trouble}});
  }
  const ordered_json status{{"site", site_},
                            {"round", round_.load()},
                            {"rounds", rounds_},
                            {"written", static_cast<std::int64_t>(std::time(nullptr))},
                            {"neighbours", neighbours}};
  write_file_atomically(folder_, status_file, json_text(status));
}

std::vector<StatusLine> read_status(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / status_file;
  if (!std::filesystem::exists(file)) {
    throw DataError("{}: is not there; no site runs, or ran, in this folder", file.string());
  }
  const nlohmann::json status = parse_json(read_file(file), file.string());
  std::vector<StatusLine> lines;
  try {
    const std::int64_t age = std::time(nullptr) - status.at("written").get<std::int64_t>();
    lines.push_back(
        {status.at("site"),
         fmt::format(
             "{} of {} rounds are done{}", status.at("round").get<Round>(),
             status.at("rounds").get<Round>(),
             age > stale_after ? fmt::format("; it does not run: last seen {} s ago", age) : "")});
    for (const auto& neighbour : status.at("neighbours")) {
      lines.push_back({neighbour.at("name"), words_of(neighbour)});
    }
  } catch (const nlohmann::json::exception& error) {
    throw DataError("{}: is no status of a site: {}", file.string(), error.what());
  }
  return lines;
}

}  // namespace driftless
