#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "driftless/base/hosting.hpp"

namespace driftless {

// Another process keeps this one waiting for longer than it may. The message names that process.
class SilentProcess : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A process that said something else than the first one.
struct Difference {
  int rank = 0;
  std::string there;     // what this process said
  std::string at_first;  // what the first one said
};

// The processes that run an experiment together, this one among them. The class itself is one
// process alone; a runtime of several overrides what reaches the others. Those functions are
// collective: every process calls them in the same order, from its main thread.
class Processes {
 public:
  Processes() = default;
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  virtual ~Processes() = default;

  int rank() const { return rank_; }
  int count() const { return count_; }
  bool first() const { return rank_ == 0; }
  NodeRange hosted(NodeId nodes) const { return Hosting{nodes, count_}.of(rank_); }
  virtual int on_this_machine() const { return 1; }

  // How long another process may keep this one waiting before a collective function throws
  // SilentProcess; 0: for ever.
  virtual void set_timeout(double minutes) { (void)minutes; }

  // A text of every process, in the order of their ranks.
  virtual std::vector<std::string> gather(std::string own) const { return {std::move(own)}; }

  bool any(bool here) const;
  // The numbers of every process, one process after the other.
  std::vector<std::int64_t> gather_numbers(const std::vector<std::int64_t>& own) const;
  std::vector<double> gather_doubles(const std::vector<double>& own) const;  // bit for bit
  std::string broadcast(std::string text) const;  // the first process's text, on every process
  // The first process, if any, that says another text than the first one; the same on all.
  std::optional<Difference> difference(std::string own) const;
  // Returns if no process has a fault to tell; else every process throws the same ConfigError,
  // which names the process at fault.
  void agree(const std::string& fault) const;
  // The same, and all fingerprints must be equal.
  void agree(const std::string& fault, std::uint64_t fingerprint) const;

  // Ends all processes at once, also where others wait for this one.
  [[noreturn]] virtual void abort(int exit_code) const;

 protected:
  int rank_ = 0;
  int count_ = 1;
};

}  // namespace driftless
