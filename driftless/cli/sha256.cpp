#include "driftless/cli/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "driftless/base/error.hpp"

namespace driftless {

std::string sha256_of(const std::filesystem::path& file) {
  const auto fail = [&] {
    throw DataError(fmt::format("{}: cannot be read: {}", file.string(), std::strerror(errno)));
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rbe"),
                                                               &std::fclose);
  if (!stream) fail();
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(),
                                                                   &EVP_MD_CTX_free);
  if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1) {
    throw std::bad_alloc();
  }
  std::vector<char> buffer(std::size_t{1} << 18);
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), stream.get())) {
    EVP_DigestUpdate(context.get(), buffer.data(), got);
  }
  if (std::ferror(stream.get()) != 0) fail();
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  EVP_DigestFinal_ex(context.get(), digest.data(), &length);
  std::string text;
  for (unsigned k = 0; k < length; ++k) text += fmt::format("{:02x}", digest[k]);
  return text;
}

}  // namespace driftless
