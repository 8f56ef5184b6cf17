#pragma once

#include <mpi.h>

#include <chrono>
#include <set>
#include <span>
#include <vector>

namespace driftless {

// Stands for whom a call of MPI waits where MPI alone knows.
constexpr int some_rank = -1;

// The waits of this process for the other ranks of a communicator. Where they have a limit, a rank
// that keeps this one waiting for longer is named. A rank that waits for long itself tells all
// others so now and then, so that they do not take it for the one that hangs. All that communicates
// over the same ranks shares one object, which only the thread that initialised MPI uses.
class MpiWaits {
 public:
  explicit MpiWaits(MPI_Comm communicator);  // collective
  MpiWaits(const MpiWaits&) = delete;
  MpiWaits& operator=(const MpiWaits&) = delete;
  ~MpiWaits();

  int rank() const { return rank_; }
  int count() const { return static_cast<int>(heard_.size()); }

  // How long to wait for a rank that gives no sign; 0: for ever.
  void set_limit(double minutes) { limit_ = Minutes(minutes); }
  double limit_in_minutes() const { return limit_.count(); }

  // Returns when all messages have come or gone; ranks[k] is the other end of message k. Throws
  // SilentProcess when the limit is over.
  void wait(std::span<MPI_Request> messages, std::span<const int> ranks);

  // A communicator of the same ranks, for messages of its own; collective.
  MPI_Comm duplicate();

 private:
  using Clock = std::chrono::steady_clock;
  using Minutes = std::chrono::duration<double, std::ratio<60>>;

  void hear_who_waits(Clock::time_point now);
  void say_that_this_rank_waits() const;
  std::set<int> silent(std::span<MPI_Request> messages, std::span<const int> ranks,
                       Clock::time_point begin, Clock::time_point now) const;

  MPI_Comm signs_ = MPI_COMM_NULL;  // messages without contents: "I am waiting too"
  int rank_ = 0;
  Minutes limit_{0};
  std::vector<Clock::time_point> heard_;  // when each rank gave its last sign
};

}  // namespace driftless
