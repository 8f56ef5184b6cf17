#include "driftless/network/mpi/mpi_waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "driftless/base/processes.hpp"

namespace driftless {

namespace {

constexpr int sign_tag = 0;

// Moves messages on while it asks. A wait in MPI does no more than this in a loop.
bool all_done(std::span<MPI_Request> messages, int times) {
  int done = 0;
  for (int k = 0; k < times && done == 0; ++k) {
    MPI_Testall(static_cast<int>(messages.size()), messages.data(), &done, MPI_STATUSES_IGNORE);
  }
  return done != 0;
}

bool is_done(MPI_Request message) {
  int done = 0;
  MPI_Request_get_status(message, &done, MPI_STATUS_IGNORE);
  return done != 0;
}

std::string told(const std::set<int>& ranks, double minutes) {
  return fmt::format("rank{} {} ha{} not answered for {:.4g} minutes", ranks.size() > 1 ? "s" : "",
                     fmt::join(ranks, ", "), ranks.size() > 1 ? "ve" : "s", minutes);
}

}  // namespace

MpiWaits::MpiWaits(MPI_Comm communicator) {
  MPI_Comm_dup(communicator, &signs_);
  MPI_Comm_rank(signs_, &rank_);
  int ranks = 1;
  MPI_Comm_size(signs_, &ranks);
  heard_.resize(static_cast<std::size_t>(ranks));
}

MpiWaits::~MpiWaits() { MPI_Comm_free(&signs_); }

void MpiWaits::wait(std::span<MPI_Request> messages, std::span<const int> ranks) {
  constexpr int tests_between_looks = 500;  // at the clock, which takes as long as some of them
  if (messages.empty() || all_done(messages, tests_between_looks)) return;
  const Clock::time_point begin = Clock::now();
  const auto pause = std::chrono::duration_cast<Clock::duration>(limit_ / 16);
  Clock::time_point next_look = begin + pause;
  Clock::time_point next_sign = begin + pause;
  while (!all_done(messages, tests_between_looks)) {
    if (limit_.count() == 0) continue;
    const Clock::time_point now = Clock::now();
    if (now < next_look) continue;
    next_look = now + pause;
    hear_who_waits(now);
    if (now >= next_sign) {
      say_that_this_rank_waits();
      next_sign = now + 4 * pause;
    }
    const std::set<int> named = silent(messages, ranks, begin, now);
    if (!named.empty()) throw SilentProcess(told(named, limit_.count()));
  }
}

MPI_Comm MpiWaits::duplicate() {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Request made = MPI_REQUEST_NULL;
  MPI_Comm_idup(signs_, &copy, &made);
  wait({&made, 1}, std::array{some_rank});
  return copy;
}

void MpiWaits::hear_who_waits(Clock::time_point now) {
  while (true) {
    int there = 0;
    MPI_Status sign;
    MPI_Iprobe(MPI_ANY_SOURCE, sign_tag, signs_, &there, &sign);
    if (there == 0) return;
    MPI_Recv(nullptr, 0, MPI_BYTE, sign.MPI_SOURCE, sign_tag, signs_, MPI_STATUS_IGNORE);
    heard_[static_cast<std::size_t>(sign.MPI_SOURCE)] = now;
  }
}

// Nobody needs to know when a sign has arrived, so nobody waits for that.
void MpiWaits::say_that_this_rank_waits() const {
  // NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker)
  for (int rank = 0; rank < count(); ++rank) {
    if (rank == rank_) continue;
    MPI_Request sign = MPI_REQUEST_NULL;
    MPI_Isend(nullptr, 0, MPI_BYTE, rank, sign_tag, signs_, &sign);
    MPI_Request_free(&sign);
  }
}

// Whose messages are missing, and who gave no sign since the wait began.
std::set<int> MpiWaits::silent(std::span<MPI_Request> messages, std::span<const int> ranks,
                               Clock::time_point begin, Clock::time_point now) const {
  std::set<int> found;
  const auto look_at = [&](int rank) {
    const auto last_sign = std::max(begin, heard_[static_cast<std::size_t>(rank)]);
    if (rank != rank_ && now - last_sign >= limit_) found.insert(rank);
  };
  for (std::size_t k = 0; k < messages.size(); ++k) {
    if (is_done(messages[k])) continue;
    if (ranks[k] != some_rank) {
      look_at(ranks[k]);
      continue;
    }
    for (int rank = 0; rank < count(); ++rank) look_at(rank);
  }
  return found;
}

}  // namespace driftless
