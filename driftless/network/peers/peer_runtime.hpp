#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driftless/network/peers/peer_network.hpp"
#include "driftless/network/runtime.hpp"

namespace driftless::peers {

// The texts of all sites, one list for each time that they were gathered.
using Said = std::vector<std::vector<std::string>>;

// The sites that run an experiment together. What they tell each other before the first round is
// remembered: a site that is started again hears it from its own notes, for the others have gone
// on.
class PeerRuntime final : public Runtime {
 public:
  explicit PeerRuntime(std::shared_ptr<Assembly> assembly, Said notes = {})
      : assembly_(std::move(assembly)), said_(std::move(notes)) {
    rank_ = assembly_->own();
    count_ = assembly_->hosting().processes;
  }

  std::vector<std::string> gather(std::string own) const override;
  std::unique_ptr<Network> network(const MixingMatrix& mixing) const override {
    return std::make_unique<PeerNetwork>(mixing, assembly_);
  }
  std::unique_ptr<Network> network(Conditions conditions) const override {
    return std::make_unique<PeerNetwork>(std::move(conditions), assembly_);
  }
  const Said& said() const { return said_; }

 private:
  std::shared_ptr<Assembly> assembly_;
  mutable Said said_;
  mutable std::size_t heard_ = 0;  // of `said_`, by those who gathered
};

}  // namespace driftless::peers
