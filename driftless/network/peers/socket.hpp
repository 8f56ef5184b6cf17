#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace driftless::peers {

// Where a site listens.
struct Address {
  std::string host;  // a name or a number
  std::uint16_t port = 0;

  std::string text() const;  // as parse_address takes it
  bool operator==(const Address&) const = default;
};

// "a.example.org:7443", "10.0.0.7:7443" or "[::1]:7443". Throws ConfigError.
Address parse_address(std::string_view text);

// An open socket, or none.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket();

  explicit operator bool() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

// A socket that others can call. Port 0: one that is free. Throws ConfigError.
Socket listen_on(const Address& address);
std::uint16_t port_of(const Socket& socket);
// Who called; none where nobody does.
Socket accept_call(const Socket& listening);

// A connected socket; or none, and why. Ends early where `wants_stop` says so.
Socket dial(const Address& address, double seconds, const std::function<bool()>& wants_stop,
            std::string& trouble);

// Wakes a thread that polls its descriptor.
class WakeUp {
 public:
  WakeUp();
  void wake() const;
  void clear() const;
  int descriptor() const { return event_.descriptor(); }

 private:
  Socket event_;
};

}  // namespace driftless::peers
