#include "driftless/cli/work_notice.hpp"

#include <unistd.h>

#include "driftless/cli/commands.hpp"

namespace driftless {

WorkNotice::WorkNotice(std::chrono::milliseconds patience)
    : terminal_(isatty(STDERR_FILENO) == 1), next_(Clock::now() + patience) {}

WorkNotice::~WorkNotice() {
  if (drawn_ && terminal_) std::fputs("\r\x1b[K", stderr);
}

void WorkNotice::at(std::string_view work) {
  using std::chrono::milliseconds;
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + (terminal_ ? milliseconds(100) : milliseconds(10000));
  if (terminal_) {
    say("\r{} …\x1b[K", work);
    std::fflush(stderr);
  } else {
    say("{} …\n", work);
  }
  drawn_ = true;
}

}  // namespace driftless
