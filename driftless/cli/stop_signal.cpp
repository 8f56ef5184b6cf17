#include "driftless/cli/stop_signal.hpp"

#include <array>
#include <atomic>
#include <csignal>

namespace driftless {
namespace {

constexpr std::array signals{SIGINT, SIGTERM, SIGUSR1};

std::atomic<int> received{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler writes it");

void ask_to_stop(int signal) {
  received = signal;
  for (const int each : signals) std::signal(each, SIG_DFL);
}

}  // namespace

void listen_for_stop_signals() {
  for (const int signal : signals) std::signal(signal, ask_to_stop);
}

int stop_signal() { return received; }

}  // namespace driftless
