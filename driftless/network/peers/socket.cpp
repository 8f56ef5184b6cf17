#include "driftless/network/peers/socket.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "driftless/base/error.hpp"
#include "driftless/base/text.hpp"
#include "driftless/network/peers/clock.hpp"

namespace driftless::peers {
namespace {

constexpr int waiting_callers = 64;

using Found = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Found look_up(const Address& address, int flags, std::string& trouble) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int failed =
      getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  if (failed != 0) {
    trouble = fmt::format("{} is not known: {}", address.host, gai_strerror(failed));
    found = nullptr;
  }
  return {found, freeaddrinfo};
}

void set(int descriptor, int level, int option, int value) {
  setsockopt(descriptor, level, option, &value, sizeof value);
}

// What connect(2) came to: 0, or the reason in terms of errno.
int connected(int descriptor, const addrinfo& to, double until,
              const std::function<bool()>& wants_stop) {
  if (connect(descriptor, to.ai_addr, to.ai_addrlen) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  while (now() < until && !wants_stop()) {
    pollfd writable{descriptor, POLLOUT, 0};
    if (poll(&writable, 1, 50) != 1) continue;
    int failed = 0;
    socklen_t size = sizeof failed;
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failed, &size);
    return failed;
  }
  return ETIMEDOUT;
}

}  // namespace

std::string Address::text() const {
  const bool is_v6 = host.find(':') != std::string::npos;
  return is_v6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

Address parse_address(std::string_view text) {
  const auto colon = text.rfind(':');
  const auto port =
      colon == std::string_view::npos ? std::nullopt : parse_integer(text.substr(colon + 1));
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (!port || *port < 0 || *port > 65535 || host.empty()) {
    throw ConfigError("\"{}\" is no address; write host:port, as in \"a.example.org:7443\"", text);
  }
  return {std::string(host), static_cast<std::uint16_t>(*port)};
}

Socket::~Socket() {
  if (descriptor_ >= 0) close(descriptor_);
}

Socket listen_on(const Address& address) {
  std::string trouble;
  const Found found = look_up(address, AI_PASSIVE, trouble);
  if (found) {
    Socket socket(::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    set(socket.descriptor(), SOL_SOCKET, SO_REUSEADDR, 1);
    if (socket && bind(socket.descriptor(), found->ai_addr, found->ai_addrlen) == 0 &&
        listen(socket.descriptor(), waiting_callers) == 0) {
      return socket;
    }
    trouble = std::strerror(errno);
  }
  throw ConfigError("cannot listen on {}: {}; choose an address of this machine and a free port",
                    address.text(), trouble);
}

std::uint16_t port_of(const Socket& socket) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  getsockname(socket.descriptor(), reinterpret_cast<sockaddr*>(&storage), &size);
  return ntohs(storage.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6&>(storage).sin6_port
                   : reinterpret_cast<const sockaddr_in&>(storage).sin_port);
}

Socket accept_call(const Socket& listening) {
  Socket socket(accept4(listening.descriptor(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (socket) set(socket.descriptor(), IPPROTO_TCP, TCP_NODELAY, 1);
  return socket;
}

Socket dial(const Address& address, double seconds, const std::function<bool()>& wants_stop,
            std::string& trouble) {
  const Found found = look_up(address, 0, trouble);
  const double until = now() + seconds;
  for (const addrinfo* each = found.get(); each != nullptr; each = each->ai_next) {
    Socket socket(::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int failed = socket ? connected(socket.descriptor(), *each, until, wants_stop) : errno;
    if (failed == 0) {
      set(socket.descriptor(), IPPROTO_TCP, TCP_NODELAY, 1);
      return socket;
    }
    trouble = fmt::format("{} does not answer: {}", address.text(), std::strerror(failed));
  }
  return {};
}

WakeUp::WakeUp() : event_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

void WakeUp::wake() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = write(event_.descriptor(), &one, sizeof one);
}

void WakeUp::clear() const {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto got = read(event_.descriptor(), &count, sizeof count);
}

}  // namespace driftless::peers
