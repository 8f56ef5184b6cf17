#include "driftless/cli/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "driftless/cli/commands.hpp"

namespace driftless {
namespace {

using std::chrono::milliseconds;

// Progress shows early, but not at all for what ends before that.
constexpr milliseconds terminal_interval{100};
constexpr milliseconds first_line_after{2000};
constexpr milliseconds line_interval{10000};

std::string readable_time(double seconds) {
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::size_t terminal_columns() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

std::string HowFar::text() const {
  const Round here = done - done_before;  // rounds of this program
  const double rate = static_cast<double>(here) / seconds;
  std::string text;
  if (runs > 1) text += fmt::format("run {}/{}  ", std::min(ended + 1, runs), runs);
  text += fmt::format("round {}/{}  ", done, rounds);
  if (loss) text += fmt::format("loss {:.4g}  ", *loss);
  text += fmt::format("{} rounds/s",
                      rate < 100 ? fmt::format("{:.3g}", rate) : fmt::format("{:.0f}", rate));
  // A smaller share is too little to guess from: the first evaluation would count for too much.
  if (here > 0 && 50 * here > rounds - done_before) {
    text += fmt::format("  {} left", readable_time(static_cast<double>(rounds - done) / rate));
  }
  return text;
}

Progress::Progress(bool quiet, std::size_t runs, Round rounds)
    : quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) == 1),
      far_{.runs = runs, .rounds = rounds},
      begin_(Clock::now()),
      next_(begin_ + (terminal_ ? terminal_interval : first_line_after)) {}

void Progress::rounds_done(Round more) {
  if (quiet_) return;
  const std::lock_guard lock(mutex_);
  far_.done += more;
  const auto now = Clock::now();
  if (now >= next_) show(now);
}

void Progress::evaluated(double loss) {
  const std::lock_guard lock(mutex_);
  far_.loss = loss;
}

void Progress::done_before(std::size_t runs, Round rounds) {
  const std::lock_guard lock(mutex_);
  far_.ended += runs;
  far_.done += rounds;
  far_.done_before += rounds;
}

void Progress::leave_out(std::size_t runs, Round rounds) {
  const std::lock_guard lock(mutex_);
  far_.runs -= runs;
  far_.rounds -= rounds;
}

void Progress::run_ended(Round rounds_left_out) {
  const std::lock_guard lock(mutex_);
  ++far_.ended;
  far_.rounds -= rounds_left_out;
}

void Progress::finish() {
  const std::lock_guard lock(mutex_);
  if (drawn_ && terminal_) std::fputs("\r\x1b[K", stderr);
}

void Progress::show(Clock::time_point now) {
  far_.seconds = std::chrono::duration<double>(now - begin_).count();
  if (!terminal_) {
    say("{:3.0f} %  {}\n", std::floor(100 * far_.share()), far_.text());
    next_ = now + line_interval;
    return;
  }
  constexpr std::size_t width = 24;
  const auto filled = std::min(width, static_cast<std::size_t>(far_.share() * width));
  std::string line = fmt::format("[{:.<{}}] {}", std::string(filled, '#'), width, far_.text());
  line.resize(std::min(line.size(), terminal_columns() - 1));
  say("\r{}\x1b[K", line);
  std::fflush(stderr);
  drawn_ = true;
  next_ = now + terminal_interval;
}

}  // namespace driftless
