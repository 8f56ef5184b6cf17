#include "driftless/network/mpi/mpi_exchange.hpp"

#include <utility>

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

MpiExchange::MpiExchange(const std::vector<LinkedProcess>& linked, MpiWaits& waits,
                         MPI_Comm communicator, Bytes bytes_a_node, int tag)
    : waits_(waits), bytes_a_node_(bytes_a_node) {
  for (const LinkedProcess& other : linked) {
    auto& in = received_.emplace_back(other.received.size() * bytes_a_node);
    MPI_Recv_init(in.data(), count_of(in), type_of(in), other.process, tag, communicator,
                  &receives_.emplace_back());
    senders_.push_back(other.process);
  }
  for (Parcel& parcel : parcels(linked)) {
    Outgoing& out = outgoing_.emplace_back();
    out.bytes.resize(parcel.nodes.size() * bytes_a_node);
    out.nodes = std::move(parcel.nodes);
    for (const std::size_t k : parcel.to) {
      out.ranks.push_back(linked[k].process);
      MPI_Send_init(out.bytes.data(), count_of(out.bytes), type_of(out.bytes), out.ranks.back(),
                    tag, communicator, &out.sends.emplace_back());
    }
  }
  expect();
}

// Nothing here waits: another rank may have fallen silent.
MpiExchange::~MpiExchange() {
  for (MPI_Request& request : receives_) {
    if (expecting_) MPI_Cancel(&request);
    MPI_Request_free(&request);
  }
  for (Outgoing& out : outgoing_) {
    for (MPI_Request& request : out.sends) MPI_Request_free(&request);
  }
}

Bytes MpiExchange::send(PackNode pack) {
  Bytes sent = 0;
  for (Outgoing& out : outgoing_) {
    std::byte* to = out.bytes.data();
    for (const NodeId node : out.nodes) {
      pack(node, to);
      to += bytes_a_node_;
    }
  }
  for (Outgoing& out : outgoing_) {
    start_all(out.sends);
    sent += out.bytes.size() * out.sends.size();
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

// MPI moves messages on only while it is called, so we stay until they are out.
void MpiExchange::finish(bool again) {
  if (again) expect();
  for (Outgoing& out : outgoing_) waits_.wait(out.sends, out.ranks);
}

}  // namespace driftless
