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

Progress::Progress(bool quiet, std::size_t runs, Round total_rounds)
    : quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) == 1),
      runs_(runs),
      total_rounds_(total_rounds),
      begin_(Clock::now()),
      next_(begin_ + (terminal_ ? terminal_interval : first_line_after)) {}

void Progress::rounds_done(Round more) {
  if (quiet_) return;
  const std::lock_guard lock(mutex_);
  rounds_ += more;
  const auto now = Clock::now();
  if (now >= next_) show(now);
}

void Progress::evaluated(double loss) {
  const std::lock_guard lock(mutex_);
  loss_ = loss;
}

void Progress::leave_out(std::size_t runs, Round rounds) {
  const std::lock_guard lock(mutex_);
  runs_ -= runs;
  total_rounds_ -= rounds;
}

void Progress::run_ended(Round rounds_left_out) {
  const std::lock_guard lock(mutex_);
  ++ended_;
  total_rounds_ -= rounds_left_out;
}

void Progress::finish() {
  const std::lock_guard lock(mutex_);
  if (drawn_ && terminal_) std::fputs("\r\x1b[K", stderr);
}

void Progress::show(Clock::time_point now) {
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  const double rate = static_cast<double>(rounds_) / elapsed;
  const double done =
      static_cast<double>(rounds_) / static_cast<double>(std::max<Round>(1, total_rounds_));
  std::string text;
  if (runs_ > 1) text += fmt::format("run {}/{}  ", std::min(ended_ + 1, runs_), runs_);
  text += fmt::format("round {}/{}  loss {:.4g}  {} rounds/s", rounds_, total_rounds_, loss_,
                      rate < 100 ? fmt::format("{:.3g}", rate) : fmt::format("{:.0f}", rate));
  constexpr double enough_to_guess = 0.02;  // the first evaluation would count for too much
  if (done > enough_to_guess) {
    text += fmt::format("  {} left", readable_time(elapsed / done - elapsed));
  }
  if (!terminal_) {
    say("{:3.0f} %  {}\n", 100 * done, text);
    next_ = now + line_interval;
    return;
  }
  constexpr std::size_t width = 24;
  const auto filled = std::min(width, static_cast<std::size_t>(done * width));
  std::string line = fmt::format("[{:.<{}}] {}", std::string(filled, '#'), width, text);
  line.resize(std::min(line.size(), terminal_columns() - 1));
  say("\r{}\x1b[K", line);
  std::fflush(stderr);
  drawn_ = true;
  next_ = now + terminal_interval;
}

}  // namespace driftless
