#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

namespace driftless {

// The processes of an MPI job, this one among them. Where no launcher (mpirun, srun) started this
// process, MPI is not touched and there is one rank.
class Ranks {
 public:
  Ranks() = default;  // this process alone
  // Initialises MPI if a launcher says so; to be called once, by the main thread, which then is the
  // only one to communicate.
  Ranks(int& argc, char**& argv);
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  ~Ranks();

  bool launched() const { return launched_; }
  int rank() const { return rank_; }
  int count() const { return count_; }
  bool first() const { return rank_ == 0; }
  MPI_Comm communicator() const { return MPI_COMM_WORLD; }

  // Collective: goes on if no rank has a fault to tell and all fingerprints are the same; else
  // every rank throws the same ConfigError, which names the rank at fault.
  void agree(const std::string& fault, std::uint64_t fingerprint) const;

  bool any(bool here) const;  // collective
  // Collective: the first rank's text, on every rank.
  std::string broadcast(std::string text) const;
  int on_this_machine() const { return on_this_machine_; }

  // Ends the whole job at once, also where others wait for this rank.
  [[noreturn]] void abort(int exit_code) const;

 private:
  bool launched_ = false;
  int rank_ = 0;
  int count_ = 1;
  int on_this_machine_ = 1;
};

}  // namespace driftless
