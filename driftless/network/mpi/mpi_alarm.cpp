#include "driftless/network/mpi/mpi_alarm.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <string_view>

namespace driftless {

namespace {

// A signal handler may do little more than this.
void end_process(int /*signal*/) {
  constexpr std::string_view word =
      "driftless: some other rank has not answered at the start or the end of the job for as long "
      "as --timeout allows\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, word.data(), word.size());
  _exit(1);
}

void set_timer(double seconds) {
  constexpr double most = 1e8;  // three years
  itimerval timer{};
  const double bounded = std::min(seconds, most);
  timer.it_value.tv_sec = static_cast<time_t>(bounded);
  timer.it_value.tv_usec = static_cast<suseconds_t>((bounded - std::floor(bounded)) * 1e6);
  setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

MpiAlarm::MpiAlarm(double minutes) {
  if (minutes <= 0) return;
  std::signal(SIGALRM, end_process);
  set_timer(std::max(60 * minutes, 1e-6));
}

MpiAlarm::~MpiAlarm() { set_timer(0); }

}  // namespace driftless
