#include "driftless/network/peers/credentials.hpp"

#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>

#include "driftless/base/error.hpp"
#include "driftless/base/regular_file.hpp"
#include "driftless/network/peers/frame.hpp"

namespace driftless::peers {
namespace {

constexpr int read_buffer = 256 << 10;  // many records a system call

void check_key_is_private(const std::filesystem::path& key) {
  struct stat status {};
  if (stat(key.c_str(), &status) == 0 && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    throw ConfigError("{}: others can read this key; make it yours alone: chmod 600 {}",
                      key.string(), key.string());
  }
}

// Whether the site's own certificate would be accepted by one that trusts the same authority.
void check_own(SSL_CTX* context, X509* certificate, const CredentialFiles& files) {
  const std::unique_ptr<X509_STORE_CTX, decltype(&X509_STORE_CTX_free)> check(X509_STORE_CTX_new(),
                                                                              X509_STORE_CTX_free);
  STACK_OF(X509)* chain = nullptr;
  SSL_CTX_get0_chain_certs(context, &chain);
  X509_STORE_CTX_init(check.get(), SSL_CTX_get_cert_store(context), certificate, chain);
  for (const int purpose : {X509_PURPOSE_SSL_SERVER, X509_PURPOSE_SSL_CLIENT}) {
    X509_STORE_CTX_set_purpose(check.get(), purpose);
  }
  if (X509_verify_cert(check.get()) == 1) return;
  const int error = X509_STORE_CTX_get_error(check.get());
  const bool dated = error == X509_V_ERR_CERT_HAS_EXPIRED || error == X509_V_ERR_CERT_NOT_YET_VALID;
  throw ConfigError(
      "{}: {}; {}", files.certificate.string(), X509_verify_cert_error_string(error),
      dated ? "look at this machine's clock, or have a new one signed"
            : "it must be signed by " + files.authority.string() + " for servers and for clients");
}

}  // namespace

bool is_site_name(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.';
  };
  return !name.empty() && name.size() <= most_name_bytes && std::ranges::all_of(name, fits) &&
         name.front() != '.' && name.front() != '-' && name.back() != '.';
}

Credentials::Credentials(const CredentialFiles& files, const std::string& own)
    : context_(SSL_CTX_new(TLS_method()), SSL_CTX_free) {
  SSL_CTX* context = context_.get();
  for (const auto* file : {&files.authority, &files.certificate, &files.key}) {
    const RegularFile readable(*file);  // or says why not
  }
  check_key_is_private(files.key);
  SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
  const auto refuse = [](const std::filesystem::path& file, const char* what) {
    throw ConfigError("{}: {} ({})", file.string(), what, tls_error());
  };
  if (SSL_CTX_load_verify_locations(context, files.authority.c_str(), nullptr) != 1) {
    refuse(files.authority, "holds no certificate of an authority as PEM");
  }
  if (SSL_CTX_use_certificate_chain_file(context, files.certificate.c_str()) != 1) {
    refuse(files.certificate, "holds no certificate as PEM");
  }
  // A key with a password would ask for it on the terminal.
  SSL_CTX_set_default_passwd_cb(context, [](char*, int, int, void*) { return 0; });
  if (SSL_CTX_use_PrivateKey_file(context, files.key.c_str(), SSL_FILETYPE_PEM) != 1) {
    refuse(files.key, "holds no key of the certificate as PEM, without a password");
  }
  X509* certificate = SSL_CTX_get0_certificate(context);
  if (!is_for(certificate, own)) {
    throw ConfigError("{}: does not name {}; its subjectAltName must have DNS:{}",
                      files.certificate.string(), own, own);
  }
  check_own(context, certificate, files);
  std::tm end{};
  ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &end);
  expires_ = timegm(&end);

  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_read_ahead(context, 1);
  SSL_CTX_set_default_read_buffer_len(context, read_buffer);
  // Each connection proves anew who is at its ends.
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context, 0);
}

bool is_for(X509* certificate, const std::string& name) {
  constexpr unsigned rules = X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_WILDCARDS;
  return certificate != nullptr &&
         X509_check_host(certificate, name.c_str(), name.size(), rules, nullptr) == 1;
}

std::string tls_error() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  const char* reason = ERR_reason_error_string(code);
  return reason != nullptr ? reason : "no reason is known";
}

}  // namespace driftless::peers
