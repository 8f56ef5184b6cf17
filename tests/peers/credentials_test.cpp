#include "driftless/network/peers/credentials.hpp"

#include <gtest/gtest.h>

#include <ctime>

#include "driftless/base/error.hpp"
#include "tests/peers/sites.hpp"
#include "tests/support/contains.hpp"

namespace driftless::peers::testing {
namespace {

using driftless::testing::contains;
using driftless::testing::TemporaryFolder;
namespace fs = std::filesystem;

constexpr std::int64_t day = std::int64_t{24} * 3600;

class CredentialsOf : public ::testing::Test {
 protected:
  CredentialsOf() {
    authority_.write(folder_.path());
    authority_.issue(folder_.path(), "clinic-a");
  }
  CredentialFiles files() const {
    return {folder_ / "authority.pem", folder_ / "clinic-a.pem", folder_ / "clinic-a.key"};
  }
  std::string fault(const CredentialFiles& files, const std::string& name = "clinic-a") const {
    return fault_in([&] { const Credentials credentials(files, name); });
  }

  TemporaryFolder folder_;
  TrialAuthority authority_;
};

TEST_F(CredentialsOf, ATrialAuthorityAreTaken) {
  const Credentials credentials(files(), "clinic-a");
  EXPECT_NEAR(static_cast<double>(credentials.expires()),
              static_cast<double>(std::time(nullptr) + 90 * day), 60);
}

TEST_F(CredentialsOf, AKeyIsItsOwnersAlone) {
  EXPECT_EQ(fs::status(folder_ / "clinic-a.key").permissions() & fs::perms::mask,
            fs::perms::owner_read | fs::perms::owner_write);
  fs::permissions(folder_ / "clinic-a.key", fs::perms::group_read, fs::perm_options::add);
  EXPECT_TRUE(contains(fault(files()), "others can read this key; make it yours alone: chmod 600"));
}

TEST_F(CredentialsOf, FilesThatDoNotFitTogetherAreRefusedByName) {
  authority_.issue(folder_.path(), "clinic-b");
  EXPECT_TRUE(contains(fault(files(), "clinic-b"), "does not name clinic-b"));
  CredentialFiles other_key = files();
  other_key.key = folder_ / "clinic-b.key";
  EXPECT_TRUE(contains(fault(other_key), "clinic-b.key: holds no key of the certificate"));
  CredentialFiles missing = files();
  missing.authority = folder_ / "nowhere.pem";
  EXPECT_TRUE(contains(fault(missing), "nowhere.pem"));
  CredentialFiles text = files();
  text.certificate = folder_.write("text.pem", "hello");
  EXPECT_TRUE(contains(fault(text), "text.pem: holds no certificate as PEM"));
}

TEST_F(CredentialsOf, AnotherAuthorityAreRefused) {
  const TemporaryFolder other;
  TrialAuthority().write(other.path());
  CredentialFiles mixed = files();
  mixed.authority = other / "authority.pem";
  EXPECT_TRUE(contains(fault(mixed), "it must be signed by"));
}

TEST_F(CredentialsOf, ACertificateThatIsNotValidNowIsRefused) {
  authority_.issue(folder_.path(), "clinic-a", {.from = -2 * day, .until = -day});
  EXPECT_TRUE(contains(fault(files()), "certificate has expired; look at this machine's clock"));
  authority_.issue(folder_.path(), "clinic-a", {.from = day, .until = 2 * day});
  EXPECT_TRUE(contains(fault(files()), "not yet valid; look at this machine's clock"));
}

TEST(SiteName, IsOneThatACertificateCanHold) {
  for (const char* name : {"a", "clinic-b", "b.example.org", "A7"}) EXPECT_TRUE(is_site_name(name));
  for (const char* name : {"", "a b", "*.example.org", "-a", ".a", "a.", "a/b", "a,DNS:b"}) {
    EXPECT_FALSE(is_site_name(name)) << name;
  }
  EXPECT_FALSE(is_site_name(std::string(300, 'a')));
  EXPECT_THROW(TrialAuthority().issue(".", "a,DNS:b"), ConfigError);
}

TEST(Address, IsAHostAndAPort) {
  EXPECT_EQ(parse_address("a.example.org:7443"), (Address{"a.example.org", 7443}));
  EXPECT_EQ(parse_address("[::1]:1"), (Address{"::1", 1}));
  EXPECT_EQ(parse_address("[::1]:1").text(), "[::1]:1");
  for (const char* text : {"", "a", "a:", ":1", "a:x", "a:65536", "a:-1"}) {
    EXPECT_THROW(parse_address(text), ConfigError) << text;
  }
}

}  // namespace
}  // namespace driftless::peers::testing
