#pragma once

#include <openssl/ssl.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace driftless::peers {

// Whether it can stand in a certificate and in a config: letters, digits, dots and dashes.
bool is_site_name(std::string_view name);

struct CredentialFiles {
  std::filesystem::path authority;    // certificates of those that sign, as PEM
  std::filesystem::path certificate;  // this site's, and what leads to an authority
  std::filesystem::path key;          // of the certificate; nobody else may read it
};

// What a site shows to others and checks of them: TLS 1.3, certificates on both sides.
class Credentials {
 public:
  // Throws ConfigError where a file cannot be read, the files do not fit together, the certificate
  // does not name the site or is not valid now, or others may read the key.
  Credentials(const CredentialFiles& files, const std::string& own);

  SSL_CTX* context() const { return context_.get(); }
  std::int64_t expires() const { return expires_; }  // seconds since 1970

 private:
  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_;
  std::int64_t expires_ = 0;
};

// Whether the certificate names this site. Only alternative names count, and no wildcard.
bool is_for(X509* certificate, const std::string& name);

// The first error that OpenSSL has noted in this thread, in words; all are then forgotten.
std::string tls_error();

}  // namespace driftless::peers
