#include "driftless/network/peers/tls_connection.hpp"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace driftless::peers {

TlsConnection::TlsConnection(const Credentials& credentials, Socket socket)
    : socket_(std::move(socket)), ssl_(SSL_new(credentials.context()), SSL_free) {
  if (!ssl_ || SSL_set_fd(ssl_.get(), socket_.descriptor()) != 1) {
    throw std::runtime_error("cannot begin a TLS connection: " + tls_error());
  }
}

TlsConnection TlsConnection::to(const Credentials& credentials, Socket socket,
                                const std::string& neighbour) {
  TlsConnection connection(credentials, std::move(socket));
  SSL* ssl = connection.ssl_.get();
  SSL_set_hostflags(ssl, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_WILDCARDS);
  if (SSL_set1_host(ssl, neighbour.c_str()) != 1) throw std::runtime_error(tls_error());
  SSL_set_connect_state(ssl);
  return connection;
}

TlsConnection TlsConnection::from_caller(const Credentials& credentials, Socket socket) {
  TlsConnection connection(credentials, std::move(socket));
  SSL_set_accept_state(connection.ssl_.get());
  return connection;
}

TlsConnection::Step TlsConnection::outcome(int result) {
  if (result > 0) return Step::done;
  const int system = errno;
  const int error = SSL_get_error(ssl_.get(), result);
  if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) return Step::not_now;
  const long verified = SSL_get_verify_result(ssl_.get());
  if (error == SSL_ERROR_ZERO_RETURN) {
    trouble_ = "it closed the connection";
  } else if (error == SSL_ERROR_SYSCALL) {
    trouble_ = system != 0 ? std::strerror(system) : "the connection broke";
  } else if (verified != X509_V_OK) {
    const bool dated =
        verified == X509_V_ERR_CERT_HAS_EXPIRED || verified == X509_V_ERR_CERT_NOT_YET_VALID;
    trouble_ = fmt::format("its certificate is not accepted: {}{}",
                           X509_verify_cert_error_string(verified),
                           dated ? "; look at the clocks, or have a new one signed" : "");
  } else {
    trouble_ = fmt::format("TLS failed: {}", tls_error());
  }
  ERR_clear_error();
  return Step::over;
}

TlsConnection::Step TlsConnection::shake_hands() {
  ERR_clear_error();
  errno = 0;
  return outcome(SSL_do_handshake(ssl_.get()));
}

bool TlsConnection::is_from(const std::string& name) const {
  return is_for(SSL_get0_peer_certificate(ssl_.get()), name);
}

TlsConnection::Step TlsConnection::write(const std::byte* data, std::size_t size,
                                         std::size_t& moved) {
  ERR_clear_error();
  errno = 0;
  moved = 0;
  return outcome(SSL_write_ex(ssl_.get(), data, size, &moved));
}

TlsConnection::Step TlsConnection::read(std::byte* data, std::size_t size, std::size_t& moved) {
  ERR_clear_error();
  errno = 0;
  moved = 0;
  return outcome(SSL_read_ex(ssl_.get(), data, size, &moved));
}

void TlsConnection::say_end() {
  ERR_clear_error();
  SSL_shutdown(ssl_.get());
}

bool TlsConnection::has_heard_end() const {
  return (SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0;
}

}  // namespace driftless::peers
