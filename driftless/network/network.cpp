#include "driftless/network/network.hpp"

#include <algorithm>
#include <utility>

namespace driftless {

namespace {

template <class Real>
Bytes message_bytes(std::span<Rows<Real>* const> rows) {
  Bytes bytes = 0;
  for (const Rows<Real>* each : rows) bytes += static_cast<Bytes>(each->dim()) * sizeof(Real);
  return bytes;
}

template <class Real>
std::span<Rows<Real>* const> as_span(std::initializer_list<Rows<Real>*> rows) {
  return {rows.begin(), rows.size()};
}

}  // namespace

Network::Network(MixingMatrix mixing) : mixing_(std::move(mixing)), traffic_(mixing_) {}

template <class Real>
void Network::mix(std::initializer_list<Rows<Real>*> rows, Mixing mixing) {
  traffic_.count_exchange(message_bytes(as_span(rows)));
  mix_rows(as_span(rows), mixing);
}

template <class Real>
void Network::average(std::initializer_list<Rows<Real>*> rows) {
  traffic_.count_global_average(message_bytes(as_span(rows)));
  average_rows(as_span(rows));
}

double Network::mean(FunctionRef<double(NodeId)> of) const {
  double sum = 0;
  for (const double value : gather(of)) sum += value;
  return sum / nodes();
}

bool Network::any(bool here) const {
  if (hosts_all()) return here;
  const std::vector<double> said = gather([&](NodeId) { return here ? 1.0 : 0.0; });
  return std::ranges::max(said) > 0;
}

double Network::minimum(FunctionRef<double(NodeId)> of) const {
  return std::ranges::min(gather(of));
}

template void Network::mix(std::initializer_list<Rows<float>*>, Mixing);
template void Network::mix(std::initializer_list<Rows<double>*>, Mixing);
template void Network::average(std::initializer_list<Rows<float>*>);
template void Network::average(std::initializer_list<Rows<double>*>);

}  // namespace driftless
