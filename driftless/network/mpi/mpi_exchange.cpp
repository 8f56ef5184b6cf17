#include "driftless/network/mpi/mpi_exchange.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace driftless {
namespace {

// MPI counts in ints: in units of 4 bytes, messages reach 8 GB. Packed letters are small and may be
// of any size.
bool in_units(const std::vector<std::byte>& buffer) { return buffer.size() % 4 == 0; }
MPI_Datatype type_of(const std::vector<std::byte>& buffer) {
  return in_units(buffer) ? MPI_FLOAT : MPI_BYTE;
}
int count_of(const std::vector<std::byte>& buffer) {
  return static_cast<int>(in_units(buffer) ? buffer.size() / 4 : buffer.size());
}

// Open MPI takes no empty list.
void start_all(std::vector<MPI_Request>& requests) {
  if (requests.empty()) return;
  MPI_Startall(static_cast<int>(requests.size()), requests.data());
}

}  // namespace

// W is symmetric: a node's row goes to all ranks that its neighbours' rows come from.
std::vector<MpiPeer> find_peers(const WeightRows& links, const Hosting& hosting, int rank) {
  struct Nodes {
    std::set<NodeId> sent, received;
  };
  std::map<int, Nodes> by_rank;
  const NodeRange hosted = hosting.of(rank);
  for (NodeId i = hosted.first; i < hosted.last; ++i) {
    for (const NodeId j : links.row(i).nodes) {
      if (hosted.contains(j)) continue;
      Nodes& nodes = by_rank[hosting.host_of(j)];
      nodes.sent.insert(i);
      nodes.received.insert(j);
    }
  }
  std::vector<MpiPeer> peers;
  peers.reserve(by_rank.size());
  for (const auto& [peer, nodes] : by_rank) {
    peers.push_back({peer,
                     {nodes.sent.begin(), nodes.sent.end()},
                     {nodes.received.begin(), nodes.received.end()}});
  }
  return peers;
}

MpiExchange::MpiExchange(const std::vector<MpiPeer>& peers, MpiWaits& waits, MPI_Comm communicator,
                         Bytes bytes_a_node, int tag)
    : waits_(waits), bytes_a_node_(bytes_a_node) {
  for (const MpiPeer& peer : peers) {
    auto& in = received_.emplace_back(peer.received.size() * bytes_a_node);
    MPI_Recv_init(in.data(), count_of(in), type_of(in), peer.rank, tag, communicator,
                  &receives_.emplace_back());
    senders_.push_back(peer.rank);
    auto parcel = std::ranges::find(parcels_, peer.sent, &Parcel::nodes);
    if (parcel == parcels_.end()) {
      parcels_.push_back(
          {peer.sent, std::vector<std::byte>(peer.sent.size() * bytes_a_node), {}, {}});
      parcel = parcels_.end() - 1;
    }
    MPI_Send_init(parcel->bytes.data(), count_of(parcel->bytes), type_of(parcel->bytes), peer.rank,
                  tag, communicator, &parcel->sends.emplace_back());
    parcel->ranks.push_back(peer.rank);
  }
  expect();
}

// Nothing here waits: another rank may have fallen silent.
MpiExchange::~MpiExchange() {
  for (MPI_Request& request : receives_) {
    if (expecting_) MPI_Cancel(&request);
    MPI_Request_free(&request);
  }
  for (Parcel& parcel : parcels_) {
    for (MPI_Request& request : parcel.sends) MPI_Request_free(&request);
  }
}

Bytes MpiExchange::send() {
  Bytes sent = 0;
  for (Parcel& parcel : parcels_) {
    start_all(parcel.sends);
    sent += parcel.bytes.size() * parcel.sends.size();
  }
  return sent;
}

void MpiExchange::expect() {
  start_all(receives_);
  expecting_ = true;
}
void MpiExchange::wait_for_received() {
  waits_.wait(receives_, senders_);
  expecting_ = false;
}
void MpiExchange::wait_for_sent() {
  for (Parcel& parcel : parcels_) waits_.wait(parcel.sends, parcel.ranks);
}

}  // namespace driftless
