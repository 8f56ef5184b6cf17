#include "stop.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include "gil.hpp"

namespace driftless::python {
namespace {

std::atomic<int> signals{0};
std::atomic<int> last_signal{0};
std::atomic<int> under_way{0};
std::atomic<bool> the_end{false};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler writes it");

void count(int signal) {
  last_signal = signal;
  ++signals;
}

bool on_main_thread() {
  const py::module_ threading = py::module_::import("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

// As Python leaves it where nobody has changed it.
bool has_default_handler(int signal) {
  const py::module_ module = py::module_::import("signal");
  const py::object handler = module.attr("getsignal")(signal);
  return handler.is(module.attr("default_int_handler")) ||
         (signal != SIGINT && handler.equal(module.attr("SIG_DFL")));
}

}  // namespace

StopSignals::StopSignals() {
  if (!on_main_thread()) return;
  signals = 0;
  last_signal = 0;
  constexpr std::array wanted{SIGINT, SIGTERM, SIGUSR1};
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    if (!has_default_handler(wanted[k])) continue;
    struct sigaction ours {};
    ours.sa_handler = count;
    ours.sa_flags = SA_RESTART;
    sigemptyset(&ours.sa_mask);
    if (sigaction(wanted[k], &ours, &handled_[k].before) == 0) handled_[k].signal = wanted[k];
  }
}

StopSignals::~StopSignals() {
  for (const Handled& each : handled_) {
    if (each.signal == 0) continue;
    sigaction(each.signal, &each.before, nullptr);
    signals = 0;
  }
}

int StopSignals::last() const { return last_signal; }

bool stop_wanted() { return signals > 0 || interpreter_ends(); }

void check_stop() {
  if (signals > 1 || interpreter_ends()) throw Aborted();
}

bool interpreter_ends() { return the_end; }

UnderWay::UnderWay() { ++under_way; }
UnderWay::~UnderWay() { --under_way; }

void end_runs() {
  the_end = true;
  constexpr int most_milliseconds = 3000;
  for (int k = 0; k < most_milliseconds && under_way > 0; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace driftless::python
