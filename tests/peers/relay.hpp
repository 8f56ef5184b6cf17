#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "driftless/network/peers/socket.hpp"

namespace driftless::peers::testing {

// A line between a caller and a site, which a test can hold up or cut.
class Relay {
 public:
  explicit Relay(Address to)
      : to_(std::move(to)), listening_(listen_on({"127.0.0.1", 0})), thread_([this] { carry(); }) {}
  ~Relay() {
    stopping_ = true;
    thread_.join();
  }
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  Address address() const { return {"127.0.0.1", port_of(listening_)}; }
  void cut() { cuts_ += 1; }                          // all connections end
  void hold_up(bool held_up) { held_up_ = held_up; }  // they stay, and nothing goes through
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Pair {
    Socket caller, site;
  };

  static bool copy(const Socket& from, const Socket& to, std::atomic<std::uint64_t>& bytes) {
    std::array<char, 65536> buffer;
    const ssize_t size = recv(from.descriptor(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (size < 0) return true;
    if (size == 0) return false;
    bytes += static_cast<std::uint64_t>(size);
    for (ssize_t sent = 0; sent < size;) {
      const ssize_t n = send(to.descriptor(), buffer.data() + sent,
                             static_cast<std::size_t>(size - sent), MSG_NOSIGNAL);
      if (n > 0) {
        sent += n;
        continue;
      }
      pollfd writable{to.descriptor(), POLLOUT, 0};
      if (n < 0 && errno != EAGAIN) return false;
      poll(&writable, 1, 10);
    }
    return true;
  }

  void carry() {
    std::vector<Pair> pairs;
    for (int cuts = 0; !stopping_;) {
      if (cuts != cuts_) {
        cuts = cuts_;
        pairs.clear();
      }
      std::vector<pollfd> polled{{listening_.descriptor(), POLLIN, 0}};
      for (const Pair& pair : pairs) {
        for (const Socket* socket : {&pair.caller, &pair.site}) {
          polled.push_back({socket->descriptor(), POLLIN, 0});
        }
      }
      if (held_up_) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        continue;
      }
      poll(polled.data(), polled.size(), 5);
      std::erase_if(pairs, [&](const Pair& pair) {
        return !copy(pair.caller, pair.site, bytes_) || !copy(pair.site, pair.caller, bytes_);
      });
      if (Socket caller = accept_call(listening_)) {
        std::string trouble;
        Socket site = dial(
            to_, 1, [] { return false; }, trouble);
        if (site) pairs.push_back({std::move(caller), std::move(site)});
      }
    }
  }

  Address to_;
  Socket listening_;
  std::atomic<bool> stopping_ = false, held_up_ = false;
  std::atomic<int> cuts_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::thread thread_;
};

}  // namespace driftless::peers::testing
