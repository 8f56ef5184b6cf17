#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "driftless/network/peers/credentials.hpp"
#include "driftless/network/peers/socket.hpp"

namespace driftless::peers {

// One connection under TLS 1.3, used by one thread at a time. Nothing here waits.
class TlsConnection {
 public:
  // What a step came to: it is done, or has moved some bytes; it must be tried again when the
  // socket is ready; or the connection is over.
  enum class Step { done, not_now, over };

  // We called this site, and it must be there.
  static TlsConnection to(const Credentials& credentials, Socket socket,
                          const std::string& neighbour);
  // Someone called; is_from tells who, after the handshake.
  static TlsConnection from_caller(const Credentials& credentials, Socket socket);

  Step shake_hands();
  bool is_from(const std::string& name) const;

  // `moved` are the bytes that went through.
  Step write(const std::byte* data, std::size_t size, std::size_t& moved);
  Step read(std::byte* data, std::size_t size, std::size_t& moved);
  void say_end();              // nothing more comes from us
  bool has_heard_end() const;  // nor from the other end, which said so

  int descriptor() const { return socket_.descriptor(); }
  const std::string& trouble() const { return trouble_; }  // after `over`

 private:
  TlsConnection(const Credentials& credentials, Socket socket);
  Step outcome(int result);

  Socket socket_;
  std::unique_ptr<SSL, decltype(&SSL_free)> ssl_;
  std::string trouble_;
};

}  // namespace driftless::peers
