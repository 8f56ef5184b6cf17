#pragma once

#include <memory>

#include "driftless/network/mpi/mpi_waits.hpp"
#include "driftless/network/runtime.hpp"

namespace driftless {

// The ranks of an MPI job. Where no launcher (mpirun, srun) started this process, MPI is not
// touched and the process is alone.
class MpiRuntime final : public Runtime {
 public:
  // Initialises MPI if a launcher started this process. The main thread makes the one MpiRuntime of
  // a program, and is the only thread that communicates.
  MpiRuntime(int& argc, char**& argv);
  ~MpiRuntime() override;

  int on_this_machine() const override { return on_this_machine_; }
  // 30 minutes unless it is set.
  void set_timeout(double minutes) override;
  std::vector<std::string> gather(std::string own) const override;
  std::unique_ptr<Network> network(const MixingMatrix& mixing) const override;
  std::unique_ptr<Network> network(Conditions conditions) const override;
  [[noreturn]] void abort(int exit_code) const override;

 private:
  bool launched_ = false;
  int on_this_machine_ = 1;
  double timeout_;  // in minutes
  std::shared_ptr<MpiWaits> waits_;
  MPI_Comm texts_ = MPI_COMM_NULL;
};

}  // namespace driftless
