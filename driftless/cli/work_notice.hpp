#pragma once

#include <chrono>
#include <mutex>
#include <string_view>

namespace driftless {

// Tells on standard error what a command is at, once it has taken longer than the patience of who
// waits: on a terminal in a line that is redrawn, elsewhere in a line now and then. Many threads
// may tell.
class WorkNotice {
 public:
  explicit WorkNotice(std::chrono::milliseconds patience = std::chrono::seconds(2));
  ~WorkNotice();  // clears the line
  WorkNotice(const WorkNotice&) = delete;
  WorkNotice& operator=(const WorkNotice&) = delete;

  void at(std::string_view work);

 private:
  using Clock = std::chrono::steady_clock;

  const bool terminal_;
  std::mutex mutex_;
  bool drawn_ = false;
  Clock::time_point next_;
};

}  // namespace driftless
