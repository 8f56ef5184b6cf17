#include "driftless/network/peers/probe.hpp"

#include <fmt/format.h>
#include <poll.h>

#include "driftless/network/peers/clock.hpp"
#include "driftless/network/peers/tls_connection.hpp"

namespace driftless::peers {
namespace {

// Tries again until it is done; throws Refused where it will not be.
void complete(TlsConnection& connection, double until, const auto& step) {
  for (;;) {
    const auto came_to = step();
    if (came_to == TlsConnection::Step::done) return;
    if (came_to == TlsConnection::Step::over) throw Refused(connection.trouble());
    if (now() > until) throw Refused("takes the call and says nothing");
    pollfd readable{connection.descriptor(), POLLIN, 0};
    poll(&readable, 1, 20);
  }
}

Hello heard_hello(TlsConnection& connection, double until) {
  const auto read = [&](std::span<std::byte> to) {
    for (std::size_t got = 0; got < to.size();) {
      std::size_t moved = 0;
      complete(connection, until,
               [&] { return connection.read(to.data() + got, to.size() - got, moved); });
      got += moved;
    }
  };
  HeadBytes bytes{};
  read(bytes);
  const Head head = unpack_head(bytes);
  if (head.kind != Kind::hello) throw Refused("does not begin with a hello");
  Body body(head.size);
  read(body);
  return unpack_hello(body);
}

}  // namespace

ProbeResult probe(const Credentials& credentials, const ProbeRequest& request) {
  const double begin = now();
  const double until = begin + request.seconds;
  ProbeResult result;
  Socket socket = dial(
      request.address, request.seconds, [] { return false; }, result.words);
  if (!socket) return result;
  result.latency_ms = 1000 * (now() - begin);
  auto connection = TlsConnection::to(credentials, std::move(socket), request.neighbour);
  try {
    complete(connection, until, [&] { return connection.shake_hands(); });
    const Hello hello = heard_hello(connection, until);
    connection.say_end();
    if (hello.study != request.study) {
      result.words =
          fmt::format("has another study (driftless {}): compare the files, and peer.sites",
                      plain_words(hello.program));
    } else if (hello.from != request.neighbour || hello.to != request.own) {
      result.words = "calls itself otherwise: compare peer.name and peer.sites";
    } else {
      result.well = true;
      result.words = "authenticated, and has the same study";
    }
  } catch (const Refused& refused) {
    result.words = refused.what();
  }
  return result;
}

}  // namespace driftless::peers
