#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace driftless {

// Tells on standard error what a command is at, once it has taken longer than the patience of who
// waits: on a terminal in a line that is redrawn, elsewhere in a line now and then. Work may take
// long without a word, so a thread of its own tells. Many threads may say what they are at.
class WorkNotice {
 public:
  explicit WorkNotice(std::chrono::milliseconds patience = std::chrono::seconds(2));
  ~WorkNotice();  // clears the line
  WorkNotice(const WorkNotice&) = delete;
  WorkNotice& operator=(const WorkNotice&) = delete;

  void at(std::string_view work);

 private:
  void tell_now_and_then(std::chrono::milliseconds patience);

  const bool terminal_;
  std::mutex mutex_;
  std::condition_variable end_;
  bool ended_ = false;
  bool drawn_ = false;
  std::string work_;
  std::thread teller_;
};

}  // namespace driftless
