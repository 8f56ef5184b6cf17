#pragma once

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "driftless/base/folder.hpp"
#include "driftless/base/types.hpp"
#include "driftless/network/peers/edge.hpp"

namespace driftless {

// Keeps status.json in a site's folder up to date, once a second, also while the site waits.
class StatusWriter {
 public:
  StatusWriter(const Folder& folder, std::string site, Round rounds,
               std::vector<std::shared_ptr<peers::Edge>> edges);
  ~StatusWriter();
  StatusWriter(const StatusWriter&) = delete;
  StatusWriter& operator=(const StatusWriter&) = delete;

  void set_round(Round done) { round_ = done; }

 private:
  void keep_writing();
  void write() const;

  const Folder& folder_;
  std::string site_;
  Round rounds_;
  std::vector<std::shared_ptr<peers::Edge>> edges_;
  std::atomic<Round> round_ = 0;
  std::mutex mutex_;
  std::condition_variable ending_;
  bool ends_ = false;
  std::thread thread_;
};

// What the file in this folder says, a line for the site and one for each neighbour. Throws
// DataError where there is no such file.
struct StatusLine {
  std::string name, words;
};
std::vector<StatusLine> read_status(const std::filesystem::path& folder);

}  // namespace driftless
