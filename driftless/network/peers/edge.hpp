#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "driftless/network/peers/clock.hpp"
#include "driftless/network/peers/session.hpp"

namespace driftless::peers {

// How it stands with a neighbour, for the people at this site.
struct EdgeStatus {
  bool up = false;
  bool met = false;     // and not lost since
  bool left = false;    // the neighbour has left in order
  bool closed = false;  // both have left, and the connection is closed
  double since = 0;     // when it came up or went down, by now()
  std::uint64_t epoch = 0, connections = 0, bytes_out = 0, letters_waiting = 0, tag_there = 0;
  std::string trouble;  // what went wrong last, in words; empty while it is up
};

// A neighbour as the application sees it, and the place where a carrier serves it: a session and
// its mutex. A carrier is whatever moves frames between two edges; the one here is Switchboard.
class Edge {
 public:
  Edge(const Session::Settings& settings, Session::Identity identity);
  Edge(const Session::Settings& settings, Session::Identity identity, Session::Memory memory);
  Edge(const Edge&) = delete;
  Edge& operator=(const Edge&) = delete;

  const std::string& own() const { return own_; }
  const std::string& neighbour() const { return neighbour_; }

  // ---- For the application, from one thread

  // False: there was no room within this time, because the neighbour is behind or away.
  bool post(std::uint64_t tag, const std::shared_ptr<Body>& body, double seconds);
  std::optional<Incoming> take(double seconds);  // none: nothing came
  void give_back(std::shared_ptr<Body> body);
  Session::Memory remember() const;
  void keep(const Session::Memory& memory);
  void allow(std::uint64_t most_bytes);  // a letter to have from now on
  void say_bye();
  bool wait_until_closed(double seconds);
  // Why no letter comes any more, though some may still wait to be taken; empty: more may come.
  std::string why_over() const;
  void refuse(const std::string& reason);  // to go on with what the neighbour sends
  EdgeStatus status() const;

  // ---- For the carrier

  // What is to be called, with no lock held, when there may be something to say.
  void set_wake(std::function<void()> wake);
  // Calls work(session) under the lock; what it gives.
  template <class Work>
  auto with_session(const Work& work) {
    const std::lock_guard lock(mutex_);
    return work(session_);
  }
  void changed();  // the application may look again
  void note(const std::string& trouble);
  void connection_ended(bool well);

 private:
  void wake() const;

  std::string own_, neighbour_;
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable condition_;
  Session session_;
  bool closed_ = false;
  bool was_up_ = false;
  double since_;
  std::string trouble_ = "no connection so far";
  std::function<void()> wake_ = [] {};
};

}  // namespace driftless::peers
