#include "driftless/network/peers/switchboard.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <limits>
#include <random>
#include <utility>

namespace driftless::peers {
namespace {

constexpr std::size_t most_calls = 32;  // handshakes under way; more callers wait their turn
constexpr int tick = 100;               // milliseconds
constexpr int rest_after_fault = 20;

// How long to wait before the next call. After a connection that served, soon; longer each time
// while nobody answers, so that a site that is down is not hammered; longest after a refusal, which
// takes people to mend. Two ends that both know the other's address would cut off each other's
// calls: the one whose name comes second waits for a while first.
class Redialling {
 public:
  explicit Redialling(const Edge& edge) : first_(edge.own() < edge.neighbour() ? 0.1 : 2.0) {}

  double next() {
    const double wait =
        std::max(first_, wait_) * std::uniform_real_distribution<>(0.75, 1.25)(draw_);
    wait_ = std::min(2 * std::max(wait_, 0.1), longest);
    return wait;
  }
  void served() { wait_ = 0; }
  void refused() { wait_ = longest; }

 private:
  static constexpr double longest = 5;
  double first_, wait_ = 0;
  std::minstd_rand draw_{std::random_device()()};
};

// OpenSSL writes to sockets by write(2): where the other end is gone, that is a signal which would
// end the process.
class WithoutBrokenPipes {
 public:
  WithoutBrokenPipes() {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before_);
  }
  ~WithoutBrokenPipes() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutBrokenPipes(const WithoutBrokenPipes&) = delete;
  WithoutBrokenPipes& operator=(const WithoutBrokenPipes&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

Switchboard::Switchboard(const Credentials& credentials, Socket listening, std::vector<Line> lines)
    : Switchboard(credentials, std::move(listening), std::move(lines), Times()) {}

Switchboard::Switchboard(const Credentials& credentials, Socket listening, std::vector<Line> lines,
                         const Times& times)
    : credentials_(credentials), listening_(std::move(listening)), times_(times) {
  const WithoutBrokenPipes inherited_by_the_threads;
  for (Line& line : lines) {
    Served& served = served_.emplace_back();
    served.edge = std::move(line.edge);
    served.address = std::move(line.address);
    served.edge->set_wake([&served] { served.wake_up.wake(); });
  }
  for (Served& served : served_) served.thread = std::thread([&] { serve(served); });
  answering_ = std::thread([this] { answer_calls(); });
}

Switchboard::~Switchboard() {
  stopping_ = true;
  stop_.wake();
  for (Served& served : served_) {
    served.wake_up.wake();
    served.thread.join();
    served.edge->set_wake([] {});
  }
  answering_.join();
}

Switchboard::Strangers Switchboard::strangers() const {
  const std::lock_guard lock(strangers_mutex_);
  return strangers_;
}

void Switchboard::turn_away(const std::string& why) {
  const std::lock_guard lock(strangers_mutex_);
  ++strangers_.count;
  strangers_.last = why;
}

void Switchboard::answer_calls() {
  std::vector<Call> calls;
  while (!stopping_) {
    std::vector<pollfd> polled{{stop_.descriptor(), POLLIN, 0}};
    if (calls.size() < most_calls) polled.push_back({listening_.descriptor(), POLLIN, 0});
    for (const Call& call : calls) polled.push_back({call.connection.descriptor(), POLLIN, 0});
    if (poll(polled.data(), polled.size(), tick) > 0 && calls.size() < most_calls &&
        polled[1].revents != 0) {
      if (Socket socket = accept_call(listening_)) {
        calls.push_back({TlsConnection::from_caller(credentials_, std::move(socket)),
                         now() + times_.handshake});
      } else {
        poll(polled.data(), 1, rest_after_fault);  // too many files are open
      }
    }
    shake_hands(calls);
  }
}

void Switchboard::shake_hands(std::vector<Call>& calls) {
  std::vector<Call> still;
  for (Call& call : calls) {
    const auto step = call.connection.shake_hands();
    if (step == TlsConnection::Step::done) {
      hand_over(std::move(call.connection));
    } else if (step == TlsConnection::Step::over) {
      turn_away("a caller was turned away: " + call.connection.trouble());
    } else if (now() > call.until) {
      turn_away("a caller was turned away: it said nothing");
    } else {
      still.push_back(std::move(call));
    }
  }
  calls = std::move(still);
}

void Switchboard::hand_over(TlsConnection connection) {
  const auto served = std::ranges::find_if(
      served_, [&](const Served& each) { return connection.is_from(each.edge->neighbour()); });
  if (served == served_.end()) {
    return turn_away("a caller was turned away: its certificate names none of our neighbours");
  }
  const std::lock_guard lock(served->mutex);
  served->called = std::make_unique<TlsConnection>(std::move(connection));
  served->wake_up.wake();
}

std::unique_ptr<TlsConnection> Switchboard::taken_up(Served& served) {
  const std::lock_guard lock(served.mutex);
  return std::move(served.called);
}

bool Switchboard::is_called(Served& served) {
  const std::lock_guard lock(served.mutex);
  return served.called != nullptr;
}

void Switchboard::serve(Served& served) {
  Edge& edge = *served.edge;
  Redialling redialling(edge);
  double rest_until = 0;  // after a refusal calls wait too
  bool has_parted = false;
  while (!stopping_) {
    const double dial_at =
        has_parted ? std::numeric_limits<double>::infinity() : now() + redialling.next();
    const auto connection = next_connection(served, dial_at, rest_until);
    if (!connection) continue;
    const std::uint64_t connections = edge.status().connections;
    const auto end = Conversation(edge, *connection, served.wake_up).run([&] {
      return stopping_ || is_called(served);
    });
    if (end == Conversation::End::refused) {
      redialling.refused();
      rest_until = now() + times_.rest_after_refusal;
    } else if (edge.status().connections != connections) {
      redialling.served();
    }
    has_parted = end == Conversation::End::well;
    edge.connection_ended(has_parted);
  }
}

// A call of the neighbour, or one that we made; none if nobody answers it.
std::unique_ptr<TlsConnection> Switchboard::next_connection(Served& served, double dial_at,
                                                            double rest_until) {
  while (!stopping_) {
    served.edge->with_session([](Session& session) { session.watch(now()); });
    served.edge->changed();
    if (now() >= rest_until) {
      if (auto called = taken_up(served)) return called;
    }
    if (served.address && now() >= dial_at) return call(served);
    pollfd woken{served.wake_up.descriptor(), POLLIN, 0};
    if (poll(&woken, 1, tick) > 0) served.wake_up.clear();
  }
  return nullptr;
}

std::unique_ptr<TlsConnection> Switchboard::call(Served& served) {
  const auto wants_stop = [&] { return stopping_ || is_called(served); };
  std::string trouble;
  Socket socket = dial(*served.address, times_.dial, wants_stop, trouble);
  if (!socket) {
    if (!wants_stop()) served.edge->note(trouble);
    return nullptr;
  }
  auto connection = std::make_unique<TlsConnection>(
      TlsConnection::to(credentials_, std::move(socket), served.edge->neighbour()));
  const double until = now() + times_.handshake;
  while (!wants_stop() && now() < until) {
    const auto step = connection->shake_hands();
    if (step == TlsConnection::Step::done) return connection;
    if (step == TlsConnection::Step::over) {
      served.edge->note(fmt::format("{} at {}: {}", served.edge->neighbour(),
                                    served.address->text(), connection->trouble()));
      return nullptr;
    }
    pollfd readable{connection->descriptor(), POLLIN, 0};
    poll(&readable, 1, tick);
  }
  if (!wants_stop()) {
    served.edge->note(fmt::format("{} at {} does not answer the handshake",
                                  served.edge->neighbour(), served.address->text()));
  }
  return nullptr;
}

}  // namespace driftless::peers
