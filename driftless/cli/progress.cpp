#include "driftless/cli/progress.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "driftless/cli/commands.hpp"
#include "driftless/cli/terminal.hpp"

namespace driftless {
namespace {

using std::chrono::milliseconds;

// Progress shows early, but not at all for what ends before that.
constexpr milliseconds terminal_interval{100};
constexpr milliseconds first_line_after{2000};
constexpr milliseconds line_interval{10000};

}  // namespace

Progress::Progress(bool quiet)
    : quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) == 1),
      next_(Clock::now() + (terminal_ ? terminal_interval : first_line_after)) {}

void Progress::show_when_due(FunctionRef<HowFar()> now) {
  if (quiet_) return;
  const std::lock_guard lock(mutex_);
  const auto time = Clock::now();
  if (time < next_) return;
  const HowFar far = now();
  if (!terminal_) {
    say("{:3.0f} %  {}\n", std::floor(100 * far.share()), far.text());
    next_ = time + line_interval;
    return;
  }
  // The last column stays free: some terminals go on to the next line after it.
  say("\r{}\x1b[K", far.line(terminal_width(STDERR_FILENO).value_or(80) - 1));
  std::fflush(stderr);
  drawn_ = true;
  next_ = time + terminal_interval;
}

void Progress::finish() {
  const std::lock_guard lock(mutex_);
  if (drawn_ && terminal_) std::fputs("\r\x1b[K", stderr);
}

}  // namespace driftless
