#pragma once

#include <utility>
#include <vector>

#include "driftless/network/mix_plan.hpp"
#include "driftless/network/network.hpp"

namespace driftless {

// Hosts all nodes in this process, on the threads of the TBB arena that calls it.
class LocalNetwork final : public Network {
 public:
  explicit LocalNetwork(MixingMatrix mixing)
      : Network(std::move(mixing)), plan_(Network::mixing()) {}

  NodeRange hosted() const override { return {0, nodes()}; }

 private:
  void mix_rows(FloatOrDouble<RowsList> rows, Mixing mixing) override;
  void average_rows(FloatOrDouble<RowsList> rows) override;
  void mean_of(FloatOrDouble<MeanRequest> request) const override;
  std::vector<double> gather_numbers(std::vector<double> own) const override { return own; }
  void collect_rows(FloatOrDouble<Transfer>) const override {}
  void distribute_rows(FloatOrDouble<Transfer>) const override {}

  MixPlan plan_;
};

}  // namespace driftless
