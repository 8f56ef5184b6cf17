#include "driftless/cli/work_notice.hpp"

#include <unistd.h>

#include "driftless/cli/commands.hpp"

namespace driftless {

WorkNotice::WorkNotice(std::chrono::milliseconds patience)
    : terminal_(isatty(STDERR_FILENO) == 1),
      teller_([this, patience] { tell_now_and_then(patience); }) {}

WorkNotice::~WorkNotice() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  end_.notify_one();
  teller_.join();
  if (drawn_ && terminal_) std::fputs("\r\x1b[K", stderr);
}

void WorkNotice::at(std::string_view work) {
  const std::lock_guard lock(mutex_);
  work_ = work;
}

void WorkNotice::tell_now_and_then(std::chrono::milliseconds patience) {
  using std::chrono::milliseconds;
  const milliseconds pause = terminal_ ? milliseconds(100) : milliseconds(10000);
  std::unique_lock lock(mutex_);
  const auto over = [this] { return ended_; };
  for (milliseconds wait = patience; !end_.wait_for(lock, wait, over); wait = pause) {
    if (work_.empty()) continue;
    if (terminal_) {
      say("\r{} …\x1b[K", work_);
      std::fflush(stderr);
    } else {
      say("{} …\n", work_);
    }
    drawn_ = true;
  }
}

}  // namespace driftless
