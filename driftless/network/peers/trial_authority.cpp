#include "driftless/network/peers/trial_authority.hpp"

#include <fcntl.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/base/file.hpp"
#include "driftless/base/folder.hpp"
#include "driftless/network/peers/credentials.hpp"

namespace driftless::peers {
namespace {

constexpr int serial_bits = 127;
constexpr std::int64_t day = std::int64_t{24} * 3600;

using KeyOf = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using CertificateOf = std::unique_ptr<X509, decltype(&X509_free)>;
using Extensions = std::vector<std::pair<int, std::string>>;

void must(bool done) {
  if (!done) throw std::runtime_error("cannot make a certificate: " + tls_error());
}

CertificateOf new_certificate(EVP_PKEY* key, const std::string& name, const Validity& validity) {
  CertificateOf certificate(X509_new(), X509_free);
  must(X509_set_version(certificate.get(), X509_VERSION_3) == 1);
  const std::unique_ptr<BIGNUM, decltype(&BN_free)> serial(BN_new(), BN_free);
  must(BN_rand(serial.get(), serial_bits, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1);
  BN_to_ASN1_INTEGER(serial.get(), X509_get_serialNumber(certificate.get()));
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), validity.from);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), validity.until);
  // A common name holds 64 characters; who is meant stands in the alternative name.
  const std::string common = name.substr(0, 64);
  must(X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_ASC,
                                  reinterpret_cast<const unsigned char*>(common.c_str()), -1, -1,
                                  0) == 1);
  must(X509_set_pubkey(certificate.get(), key) == 1);
  return certificate;
}

void sign(X509* certificate, X509* by, EVP_PKEY* key, const Extensions& extensions) {
  must(X509_set_issuer_name(certificate, X509_get_subject_name(by)) == 1);
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, by, certificate, nullptr, nullptr, 0);
  for (const auto& [id, value] : extensions) {
    const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> extension(
        X509V3_EXT_conf_nid(nullptr, &context, id, value.c_str()), X509_EXTENSION_free);
    must(extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1);
  }
  must(X509_sign(certificate, key, EVP_sha256()) > 0);
}

std::string text_of(BIO* memory) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory, &data);
  return {data, static_cast<std::size_t>(size)};
}

using Memory = std::unique_ptr<BIO, decltype(&BIO_free)>;

std::string pem_of(X509* certificate) {
  const Memory memory(BIO_new(BIO_s_mem()), BIO_free);
  must(PEM_write_bio_X509(memory.get(), certificate) == 1);
  return text_of(memory.get());
}

std::string pem_of(EVP_PKEY* key) {
  const Memory memory(BIO_new(BIO_s_mem()), BIO_free);
  must(PEM_write_bio_PrivateKey(memory.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1);
  return text_of(memory.get());
}

// Nobody else may read it at any time, so it is not made readable first.
void write_private(const Folder& folder, const std::string& name, const std::string& contents) {
  const mode_t before = umask(077);
  try {
    write_file_atomically(folder, name, contents);
  } catch (...) {
    umask(before);
    throw;
  }
  umask(before);
}

}  // namespace

TrialAuthority::TrialAuthority(const std::string& name)
    : key_(EVP_EC_gen("P-256"), EVP_PKEY_free), certificate_(nullptr, X509_free) {
  must(key_ != nullptr);
  certificate_ = new_certificate(key_.get(), name, Validity{.from = -2 * day});
  sign(certificate_.get(), certificate_.get(), key_.get(),
       {{NID_basic_constraints, "critical,CA:TRUE,pathlen:0"},
        {NID_key_usage, "critical,keyCertSign,cRLSign"},
        {NID_subject_key_identifier, "hash"}});
}

void TrialAuthority::write(const std::filesystem::path& folder) const {
  write_file_atomically(folder / "authority.pem", pem_of(certificate_.get()));
}

void TrialAuthority::issue(const std::filesystem::path& folder, const std::string& name,
                           const Validity& validity) const {
  if (!is_site_name(name)) {
    throw ConfigError("\"{}\" is no name of a site; use letters, digits, dots and dashes", name);
  }
  const KeyOf key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  must(key != nullptr);
  const CertificateOf certificate = new_certificate(key.get(), name, validity);
  sign(certificate.get(), certificate_.get(), key_.get(),
       {{NID_basic_constraints, "critical,CA:FALSE"},
        {NID_key_usage, "critical,digitalSignature"},
        {NID_ext_key_usage, "serverAuth,clientAuth"},
        {NID_subject_alt_name, "DNS:" + name}});
  const Folder opened(folder);
  write_private(opened, name + ".key", pem_of(key.get()));
  write_file_atomically(opened, name + ".pem", pem_of(certificate.get()));
}

}  // namespace driftless::peers
