#pragma once

#include <vector>

#include "driftless/network/mix_plan.hpp"
#include "driftless/network/network.hpp"

namespace driftless {

// Hosts all nodes in this process, on the threads of the TBB arena that calls it.
class LocalNetwork final : public Network {
 public:
  explicit LocalNetwork(MixingMatrix mixing);

  NodeRange hosted() const override { return {0, nodes()}; }
  void for_each_node(FunctionRef<void(NodeId)> work) const override;

  std::vector<double> gather(FunctionRef<double(NodeId)> of) const override;

 private:
  void mix_rows(FloatOrDouble<RowsList> rows, Mixing mixing) override;
  void average_rows(FloatOrDouble<RowsList> rows) override;
  void mean_of(FloatOrDouble<MeanRequest> request) const override;
  void collect_rows(FloatOrDouble<Transfer>) const override {}
  void distribute_rows(FloatOrDouble<Transfer>) const override {}

  MixPlan plan_;
};

}  // namespace driftless
