#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "driftless/network/mix_plan.hpp"
#include "driftless/network/network.hpp"

namespace driftless {

// Hosts all nodes in this process, on the threads of the TBB arena that calls it.
class LocalNetwork final : public Network {
 public:
  explicit LocalNetwork(const MixingMatrix& mixing) : Network(mixing) { plan_fixed(); }
  explicit LocalNetwork(Conditions conditions) : Network(std::move(conditions)) { plan_fixed(); }

  NodeRange hosted() const override { return {0, nodes()}; }

 private:
  void mix_rows(FloatOrDouble<RowsList> rows, Mixing mixing) override;
  void average_rows(FloatOrDouble<AverageRequest> request) override;
  void mean_of(FloatOrDouble<MeanRequest> request) const override;
  std::vector<double> gather_numbers(std::vector<double> own) const override { return own; }
  void collect_rows(FloatOrDouble<Transfer>) const override {}
  void distribute_rows(FloatOrDouble<Transfer>) const override {}
  void swap_letters(Bytes, FunctionRef<void(NodeId, std::byte*)>,
                    FunctionRef<void(NodeId, const std::byte*)>) override {}
  void copy_row(FloatOrDouble<RowCopy> copy) override;

  void plan_fixed() {
    if (links_fixed()) plan_.emplace(links());
  }

  std::optional<MixPlan> plan_;  // of links that are fixed
};

}  // namespace driftless
