#pragma once

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <filesystem>
#include <memory>
#include <string>

namespace driftless::peers {

// From when to when, in seconds from now; the first may lie in the past.
struct Validity {
  std::int64_t from = -300;
  std::int64_t until = std::int64_t{90} * 24 * 3600;
};

// An authority for trials and tests: it makes the keys of all sites itself, so it knows them all.
// In earnest each site makes its own key and has it signed.
class TrialAuthority {
 public:
  explicit TrialAuthority(const std::string& name = "driftless trial authority");

  // Writes authority.pem.
  void write(const std::filesystem::path& folder) const;
  // Writes NAME.pem and NAME.key, which its owner alone may read.
  void issue(const std::filesystem::path& folder, const std::string& name,
             const Validity& validity = {}) const;

 private:
  using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
  using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

  Key key_;
  Certificate certificate_;
};

}  // namespace driftless::peers
