#include "driftless/network/peers/peer_runtime.hpp"

namespace driftless::peers {

std::vector<std::string> PeerRuntime::gather(std::string own) const {
  if (heard_ == said_.size()) {
    const auto bytes = std::as_bytes(std::span(own));
    std::vector<std::string>& texts = said_.emplace_back();
    for (const Body& each : assembly_->tell_all(Body(bytes.begin(), bytes.end()))) {
      texts.emplace_back(reinterpret_cast<const char*>(each.data()), each.size());
    }
  }
  return said_[heard_++];
}

}  // namespace driftless::peers
