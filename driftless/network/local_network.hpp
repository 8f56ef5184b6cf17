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

  using Network::mean;
  void mean(FunctionRef<void(NodeId, VectorView<float>)> of, VectorView<float> out) const override;
  void mean(FunctionRef<void(NodeId, VectorView<double>)> of,
            VectorView<double> out) const override;
  std::vector<double> gather(FunctionRef<double(NodeId)> of) const override;
  const Rows<float>& collect(const Rows<float>& rows, Rows<float>&) const override { return rows; }
  const Rows<double>& collect(const Rows<double>& rows, Rows<double>&) const override {
    return rows;
  }
  void distribute(const Rows<float>& all, Rows<float>& rows) const override { rows = all; }
  void distribute(const Rows<double>& all, Rows<double>& rows) const override { rows = all; }

 private:
  void mix_rows(std::span<Rows<float>* const> rows, Mixing mixing) override;
  void mix_rows(std::span<Rows<double>* const> rows, Mixing mixing) override;
  void average_rows(std::span<Rows<float>* const> rows) override;
  void average_rows(std::span<Rows<double>* const> rows) override;

  MixPlan plan_;
};

}  // namespace driftless
