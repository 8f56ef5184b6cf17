#include "driftless/cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "driftless/cli/commands.hpp"
#include "driftless/cli/terminal.hpp"
#include "driftless/record/result_text.hpp"

namespace driftless {
namespace {

using std::chrono::milliseconds;

// Progress shows early, but not at all for what ends before that.
constexpr milliseconds terminal_interval{100};
constexpr milliseconds first_line_after{2000};
constexpr milliseconds line_interval{10000};

// What a line tells, in its order; a text is empty where it is not known.
struct LineParts {
  std::string bar = {};
  std::string percent = {};
  std::string run = {};
  std::string round = {};
  std::string loss = {};
  std::string speed = {};
  std::string time_left = {};

  std::string joined() const {
    std::string text;
    for (const std::string* part : {&bar, &percent, &run, &round, &loss, &speed, &time_left}) {
      if (!part->empty()) text += fmt::format("{}{}", text.empty() ? "" : "  ", *part);
    }
    return text;
  }
};

LineParts parts_of(const HowFar& far) {
  constexpr std::size_t width = 24;
  const Round here = far.done - far.done_before;  // rounds of this program
  const double rate = static_cast<double>(here) / far.seconds;
  const auto filled = std::min(width, static_cast<std::size_t>(far.share() * width));
  LineParts parts;
  parts.bar = fmt::format("[{:.<{}}]", std::string(filled, '#'), width);
  parts.percent = fmt::format("{:3.0f} %", std::floor(100 * far.share()));
  if (far.runs > 1)
    parts.run = fmt::format("run {}/{}", std::min(far.ended + 1, far.runs), far.runs);
  parts.round = fmt::format("round {}/{}", far.done, far.rounds);
  if (far.loss) parts.loss = fmt::format("loss {:.4g}", *far.loss);
  parts.speed = fmt::format("{} rounds/s",
                            rate < 100 ? fmt::format("{:.3g}", rate) : fmt::format("{:.0f}", rate));
  // A smaller share is too little to guess from: the first evaluation would count for too much.
  if (here > 0 && 50 * here > far.rounds - far.done_before) {
    const double seconds = static_cast<double>(far.rounds - far.done) / rate;
    parts.time_left = fmt::format("{} left", readable_time(seconds));
  }
  return parts;
}

}  // namespace

std::string HowFar::text() const {
  LineParts parts = parts_of(*this);
  parts.bar.clear();
  parts.percent.clear();
  return parts.joined();
}

std::string HowFar::line(std::size_t columns) const {
  const LineParts all = parts_of(*this);
  LineParts shown;
  using P = LineParts;
  // The most important first; what no longer fits is left out.
  for (std::string P::*part :
       {&P::percent, &P::time_left, &P::bar, &P::run, &P::round, &P::loss, &P::speed}) {
    shown.*part = all.*part;
    if (shown.joined().size() > columns) (shown.*part).clear();
  }
  return shown.joined();
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

void Progress::add(std::size_t runs, Round rounds) {
  const std::lock_guard lock(mutex_);
  far_.runs += runs;
  far_.rounds += rounds;
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
  // The last column stays free: some terminals go on to the next line after it.
  say("\r{}\x1b[K", far_.line(terminal_width(STDERR_FILENO).value_or(80) - 1));
  std::fflush(stderr);
  drawn_ = true;
  next_ = now + terminal_interval;
}

}  // namespace driftless
