#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "driftless/network/block_network.hpp"
#include "driftless/network/peers/assembly.hpp"

namespace driftless::peers {

// The nodes spread over sites, which reach their neighbours over edges alone. What concerns all
// sites goes along a tree of edges. Every function that reaches other sites may throw
// SilentProcess, which names the site.
class PeerNetwork final : public BlockNetwork {
 public:
  // `Given` is a MixingMatrix or Conditions.
  template <class Given>
  PeerNetwork(const Given& given, Sites sites)
      : PeerNetwork(given, std::make_shared<Assembly>(*links_of(given), std::move(sites))) {}
  template <class Given>
  PeerNetwork(const Given& given, std::shared_ptr<Assembly> assembly)
      : BlockNetwork(given), assembly_(std::move(assembly)) {
    take_block(assembly_->hosting(), assembly_->own());
  }
  ~PeerNetwork() override { drop_exchanges(); }

 private:
  static std::shared_ptr<const LinkSequence> links_of(const MixingMatrix& mixing) {
    return make_fixed(mixing);
  }
  static std::shared_ptr<const LinkSequence> links_of(const Conditions& conditions) {
    return conditions.links;
  }

  std::unique_ptr<Exchange> make_exchange(const std::vector<LinkedProcess>& linked,
                                          Bytes bytes_a_node, int number) override;
  void mean_rows(FloatOrDouble<RowsMean> mean) const override;
  std::vector<double> gather_numbers(std::vector<double> own) const override;
  void collect_rows(FloatOrDouble<Transfer> transfer) const override;
  void distribute_rows(FloatOrDouble<Transfer> transfer) const override;
  void copy_row(FloatOrDouble<RowCopy> copy) override;

  void check_models_travel(const char* what) const;
  // As many bytes of every node, in their order, on every site.
  Body gather_bytes(const std::byte* own, std::size_t bytes_a_node) const;

  std::shared_ptr<Assembly> assembly_;
};

}  // namespace driftless::peers
