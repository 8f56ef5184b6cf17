#include "driftless/cli/page_server.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(LocalHost, IsThisMachineAsItNamesItselfWithAnyPort) {
  for (const char* host :
       {"localhost", "localhost:8765", "127.0.0.1", "127.0.0.1:80", "[::1]", "[::1]:9000"}) {
    EXPECT_TRUE(is_local_host(host)) << host;
  }
}

TEST(LocalHost, IsNoNameThatCouldBeMadeToLeadHere) {
  for (const char* host :
       {"", ":8765", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example:8765",
        "evil.example:localhost", "localhost:80@evil.example", "192.168.0.1", "0.0.0.0", "[::1",
        "[::1].evil.example", "[::1]evil:80", "user@localhost", "localhost "}) {
    EXPECT_FALSE(is_local_host(host)) << host;
  }
}

}  // namespace
}  // namespace driftless
