#pragma once

#include <array>
#include <functional>

#include "driftless/network/peers/edge.hpp"
#include "driftless/network/peers/tls_connection.hpp"

namespace driftless::peers {

// Carries an edge's frames over one connection, from its hello to its end.
class Conversation {
 public:
  enum class End {
    broke,    // fell silent, or was replaced
    refused,  // one end will not go on with the other: no use in trying again at once
    well,     // both have said bye, and both have closed
  };

  Conversation(Edge& edge, TlsConnection& connection, const WakeUp& wake_up);

  // Until the connection ends, or `is_over` says so.
  End run(const std::function<bool()>& is_over);

 private:
  // What there is to say, or to hear, as far as the connection takes it or has it now. False at the
  // end of the connection.
  bool speak();
  bool listen();
  bool hear(std::size_t bytes);
  bool drain();
  void take_up(const std::optional<Outgoing>& frame);
  bool is_saying() const { return said_ < head_bytes + out_.body.size(); }
  void refuse(const std::string& reason);
  bool has_refused() const { return refused_at_ > 0; }
  void wait_for_more() const;

  Edge& edge_;
  TlsConnection& connection_;
  const WakeUp& wake_up_;
  Outgoing out_;
  std::size_t said_ = head_bytes;  // bytes of the frame that went through
  HeadBytes head_{};               // of the frame that comes
  std::span<std::byte> place_;
  std::size_t heard_ = 0;
  bool moved_ = false;     // something went through since we last waited
  bool closing_ = false;   // we have closed
  double refused_at_ = 0;  // when we did; 0: we have not
  End end_ = End::broke;
};

}  // namespace driftless::peers
