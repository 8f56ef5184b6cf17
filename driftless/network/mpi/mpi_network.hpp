#pragma once

#include <mpi.h>

#include <memory>
#include <utility>
#include <vector>

#include "driftless/network/block_network.hpp"
#include "driftless/network/mpi/mpi_collectives.hpp"

namespace driftless {

// The nodes spread over the ranks of a communicator. All functions that reach other nodes are to be
// called from the thread that initialised MPI. The network duplicates the communicator, so the
// caller may free its own.
class MpiNetwork final : public BlockNetwork {
 public:
  // `Given` is a MixingMatrix or Conditions. Throws ConfigError when there are more ranks than
  // nodes.
  template <class Given>
  MpiNetwork(Given given, MPI_Comm communicator)
      : MpiNetwork(std::move(given), std::make_shared<MpiWaits>(communicator)) {}
  // Over the ranks of `waits`, whose limit holds for this network too.
  template <class Given>
  MpiNetwork(Given given, const std::shared_ptr<MpiWaits>& waits) : BlockNetwork(std::move(given)) {
    join(waits);
  }
  ~MpiNetwork() override;

 private:
  std::unique_ptr<Exchange> make_exchange(const std::vector<LinkedProcess>& linked,
                                          Bytes bytes_a_node, int number) override;
  void mean_rows(FloatOrDouble<RowsMean> mean) const override;
  std::vector<double> gather_numbers(std::vector<double> own) const override {
    return gather_over_ranks(ranks_, own);
  }
  void collect_rows(FloatOrDouble<Transfer> transfer) const override;
  void distribute_rows(FloatOrDouble<Transfer> transfer) const override;
  void copy_row(FloatOrDouble<RowCopy> copy) override;

  void join(const std::shared_ptr<MpiWaits>& waits);

  MpiRanks ranks_;
};

}  // namespace driftless
