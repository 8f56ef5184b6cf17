#pragma once

#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "driftless/network/peers/conversation.hpp"

namespace driftless::peers {

// The carrier over TLS: listens for all edges of a site, dials neighbours whose address is known,
// and serves every edge in a thread of its own. A caller that shows no certificate of a neighbour
// costs a handshake and no more.
class Switchboard {
 public:
  struct Line {
    std::shared_ptr<Edge> edge;
    std::optional<Address> address;  // where to call the neighbour; none: it calls us
  };

  // How long others may take, in seconds.
  struct Times {
    double dial = 5;
    double handshake = 5;
    double rest_after_refusal = 3;  // until the next hello: what a bad neighbour can cost
  };

  // Edges are served until this object goes.
  Switchboard(const Credentials& credentials, Socket listening, std::vector<Line> lines);
  Switchboard(const Credentials& credentials, Socket listening, std::vector<Line> lines,
              const Times& times);
  ~Switchboard();
  Switchboard(const Switchboard&) = delete;
  Switchboard& operator=(const Switchboard&) = delete;

  // Callers that were turned away before a hello, and why the last one was.
  struct Strangers {
    std::uint64_t count = 0;
    std::string last;
  };
  Strangers strangers() const;

 private:
  struct Served {
    std::shared_ptr<Edge> edge;
    std::optional<Address> address;
    WakeUp wake_up;
    std::mutex mutex;
    std::unique_ptr<TlsConnection> called;  // a call that waits to be taken up
    std::thread thread;
  };
  // A call whose handshake is under way.
  struct Call {
    TlsConnection connection;
    double until;
  };

  void answer_calls();
  void shake_hands(std::vector<Call>& calls);
  void hand_over(TlsConnection connection);
  void turn_away(const std::string& why);

  void serve(Served& served);
  std::unique_ptr<TlsConnection> next_connection(Served& served, double dial_at, double rest_until);
  std::unique_ptr<TlsConnection> call(Served& served);
  static std::unique_ptr<TlsConnection> taken_up(Served& served);
  static bool is_called(Served& served);

  const Credentials& credentials_;
  Socket listening_;
  Times times_;
  WakeUp stop_;
  std::atomic<bool> stopping_ = false;
  std::list<Served> served_;
  std::thread answering_;
  mutable std::mutex strangers_mutex_;
  Strangers strangers_;
};

}  // namespace driftless::peers
