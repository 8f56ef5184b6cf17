// driftless_sites_tests: as many processes as DRIFTLESS_SITES says, each a site, which talk TLS on
// loopback. All run all tests, in the same order; the first tells, and the others only what fails.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "driftless/network/peers/switchboard.hpp"
#include "driftless/network/peers/trial_authority.hpp"
#include "tests/sites/processes.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless::peers::testing {

Processes processes;

namespace {

constexpr double patience = 60;
constexpr std::uint64_t most_bytes = 64 << 20;

class OnlyFailures final : public ::testing::EmptyTestEventListener {
 public:
  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "site %d: %s:%d: %s\n", processes.own,
                 result.file_name() != nullptr ? result.file_name() : "", result.line_number(),
                 result.summary());
  }
};

std::string name_of(int site) { return "site-" + std::to_string(site); }

std::string variable(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

// What the first process makes for all: certificates, sockets that listen, and the others.
class Start {
 public:
  explicit Start(int count, char** arguments) {
    const TrialAuthority authority;
    authority.write(folder_.path());
    std::string sockets;
    for (int k = 0; k < count; ++k) {
      authority.issue(folder_.path(), name_of(k));
      listening_.push_back(listen_on({"127.0.0.1", 0}));
      fcntl(listening_.back().descriptor(), F_SETFD, 0);  // the others inherit it
      sockets += std::to_string(listening_.back().descriptor()) + " ";
    }
    setenv("DRIFTLESS_FOLDER", folder_.path().c_str(), 1);
    setenv("DRIFTLESS_SOCKETS", sockets.c_str(), 1);
    for (int k = 1; k < count; ++k) {
      setenv("DRIFTLESS_SITE", std::to_string(k).c_str(), 1);
      pid_t child = 0;
      if (posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, arguments, environ) == 0) {
        children_.push_back(child);
      }
    }
    setenv("DRIFTLESS_SITE", "0", 1);
  }
  // Whether all of them ended well.
  bool others_ended_well() {
    bool well = true;
    for (const pid_t child : children_) {
      int status = 0;
      waitpid(child, &status, 0);
      well = well && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    return well;
  }

 private:
  driftless::testing::TemporaryFolder folder_;
  std::vector<Socket> listening_;
  std::vector<pid_t> children_;
};

int run_tests() {
  processes.own = std::stoi(variable("DRIFTLESS_SITE", "0"));
  processes.count = std::stoi(variable("DRIFTLESS_SITES", "3"));
  const std::filesystem::path folder = variable("DRIFTLESS_FOLDER", "");
  std::vector<Socket> listening;
  std::istringstream sockets(variable("DRIFTLESS_SOCKETS", ""));
  for (int descriptor = 0; sockets >> descriptor;) listening.emplace_back(dup(descriptor));

  const std::string own = name_of(processes.own);
  const Credentials credentials(
      {folder / "authority.pem", folder / (own + ".pem"), folder / (own + ".key")}, own);
  std::vector<Switchboard::Line> lines;
  for (int k = 0; k < processes.count; ++k) {
    if (k == processes.own) continue;
    const Session::Identity identity{.program = "test",
                                     .own = own,
                                     .neighbour = name_of(k),
                                     .life = static_cast<std::uint64_t>(processes.own) + 1};
    const auto edge = std::make_shared<Edge>(Session::Settings{.most_bytes = most_bytes}, identity);
    processes.edges[k] = edge;
    const Address address{"127.0.0.1", port_of(listening[static_cast<std::size_t>(k)])};
    lines.push_back({edge, k > processes.own ? std::optional(address) : std::nullopt});
  }
  const Switchboard switchboard(
      credentials, std::move(listening[static_cast<std::size_t>(processes.own)]), lines);
  if (processes.own != 0) {
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new OnlyFailures);
  }
  int failed = RUN_ALL_TESTS();
  for (const auto& [site, edge] : processes.edges) edge->say_bye();
  for (const auto& [site, edge] : processes.edges) {
    if (!edge->wait_until_closed(patience)) failed = 1;
  }
  return failed;
}

}  // namespace
}  // namespace driftless::peers::testing

int main(int argc, char** argv) {
  using namespace driftless::peers::testing;
  std::optional<Start> start;
  if (std::getenv("DRIFTLESS_SITE") == nullptr) {
    start.emplace(std::stoi(variable("DRIFTLESS_SITES", "3")), argv);
  }
  ::testing::InitGoogleTest(&argc, argv);
  const int failed = run_tests();
  return start && !start->others_ended_well() ? 1 : failed;
}
