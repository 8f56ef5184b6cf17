#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "driftless/network/peers/switchboard.hpp"
#include "driftless/network/peers/trial_authority.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless::peers::testing {

// Quick enough for tests, and not so quick that a machine with other work is taken for a silent
// neighbour.
inline Session::Settings quick_settings() {
  return {.most_bytes = 16 << 20, .pulse_every = 0.1, .silent_after = 3, .dead_after = 60};
}

inline bool comes_true(double seconds, const auto& what) {
  const double until = now() + seconds;
  while (!what()) {
    if (now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

// Certificates of sites a, b, c, d by one authority, made once.
class Certificates {
 public:
  static const Certificates& get() {
    static const Certificates certificates;
    return certificates;
  }
  std::filesystem::path folder() const { return folder_.path(); }
  CredentialFiles files(const std::string& name) const {
    return {folder_ / "authority.pem", folder_ / (name + ".pem"), folder_ / (name + ".key")};
  }
  const Credentials& of(const std::string& name) const { return *credentials_.at(name); }

 private:
  Certificates() {
    const TrialAuthority authority;
    authority.write(folder_.path());
    for (const std::string name : {"a", "b", "c", "d"}) {
      authority.issue(folder_.path(), name);
      credentials_[name] = std::make_unique<Credentials>(files(name), name);
    }
  }
  driftless::testing::TemporaryFolder folder_;
  std::map<std::string, std::unique_ptr<Credentials>> credentials_;
};

// One site in this process, on a free port of loopback.
class Site {
 public:
  explicit Site(std::string name, Session::Settings settings = quick_settings())
      : name_(std::move(name)), settings_(settings), listening_(listen_on({"127.0.0.1", 0})) {
    address_ = {"127.0.0.1", port_of(listening_)};
  }

  Site& meet(const Site& other, StudyHash study = {}) {
    return meet(other.name_, other.address_, study);
  }
  Site& meet(const std::string& other, std::optional<Address> address, StudyHash study = {}) {
    static std::atomic<std::uint64_t> lives = 1;
    const Session::Identity identity{
        .study = study, .program = "1", .own = name_, .neighbour = other, .life = lives++};
    lines_.push_back({std::make_shared<Edge>(settings_, identity), std::move(address)});
    return *this;
  }
  void start() { start(Certificates::get().of(name_)); }
  void start(const Credentials& credentials) {
    switchboard_ = std::make_unique<Switchboard>(credentials, std::move(listening_), lines_,
                                                 Switchboard::Times{5, 3, 0.2});
  }
  void stop() { switchboard_.reset(); }

  Edge& edge(std::size_t k = 0) { return *lines_[k].edge; }
  const Address& address() const { return address_; }
  const Switchboard& switchboard() const { return *switchboard_; }

 private:
  std::string name_;
  Session::Settings settings_;
  Socket listening_;
  Address address_;
  std::vector<Switchboard::Line> lines_;
  std::unique_ptr<Switchboard> switchboard_;
};

// The next letter, whatever news come before.
inline std::optional<Letter> next_letter(Edge& edge, double seconds = 10) {
  const double until = now() + seconds;
  while (now() < until) {
    auto in = edge.take(0.1);
    if (in && in->news == News::letter) return in->letter;
  }
  return std::nullopt;
}

inline std::shared_ptr<Body> body_of(std::size_t size, unsigned seed) {
  auto body = std::make_shared<Body>(size);
  for (std::size_t k = 0; k < size; ++k) (*body)[k] = static_cast<std::byte>(seed + k * 31);
  return body;
}

}  // namespace driftless::peers::testing
