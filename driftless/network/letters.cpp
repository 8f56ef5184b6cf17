#include <cstring>

#include "driftless/base/parallel.hpp"
#include "driftless/network/network.hpp"

namespace driftless {
namespace {

// What nodes say in this mix: the hosted ones' rows as they were before it, and those of the nodes
// elsewhere that letters brought.
template <class Real>
class Said {
 public:
  explicit Said(RowsList<Real> rows) {
    for (const Rows<Real>* each : rows) hosted_.push_back(*each);
  }

  void pack(NodeId i, std::byte* to) const {
    for (const Rows<Real>& each : hosted_) {
      const std::size_t bytes = static_cast<std::size_t>(each.dim()) * sizeof(Real);
      std::memcpy(to, each.row(i), bytes);
      to += bytes;
    }
  }
  void take(NodeId j, const std::byte* from) {
    std::vector<Vector<Real>>& rows = elsewhere_[j];
    for (const Rows<Real>& each : hosted_) {
      const std::size_t bytes = static_cast<std::size_t>(each.dim()) * sizeof(Real);
      rows.emplace_back(each.dim());
      std::memcpy(rows.back().data(), from, bytes);
      from += bytes;
    }
  }

  std::size_t rows() const { return hosted_.size(); }
  Eigen::Map<const Vector<Real>> row(std::size_t k, NodeId j) const {
    if (hosted_[k].hosted().contains(j)) return hosted_[k][j];
    const Vector<Real>& vector = elsewhere_.at(j)[k];
    return {vector.data(), vector.size()};
  }

 private:
  std::vector<Rows<Real>> hosted_;
  std::map<NodeId, std::vector<Vector<Real>>> elsewhere_;
};

}  // namespace

// Late letters that are due come first, in the order in which they were sent, then those of this
// round by sender: one order on every number of processes.
template <class Real>
void Network::mix_by_letters(RowsList<Real> rows, Mixing mixing) {
  Said<Real> said(rows);
  swap_letters(
      message_bytes(rows), [&](NodeId i, std::byte* to) { said.pack(i, to); },
      [&](NodeId j, const std::byte* from) { said.take(j, from); });
  weather_->count_late_letters();
  const double scale = mixing == Mixing::lazy ? 0.5 : 1.0;
  for_each_node([&](NodeId i) {
    auto& late = post<Real>().of(i).late;
    auto& ledger = post<Real>().of(i).ledger;
    const auto add = [&](NodeId from, const std::vector<Vector<Real>>& flows) {
      for (std::size_t k = 0; k < rows.size(); ++k) (*rows[k])[i] += flows[k];
      if (!weather_->nodes_crash()) return;
      const auto [sum, is_first] = ledger.try_emplace(from, flows.back());
      if (!is_first) sum->second += flows.back();
    };
    const auto is_due = [&](const auto& letter) {
      return letter.due <= round_ && letter.mix == mixes_;
    };
    for (const auto& letter : late) {
      if (is_due(letter)) add(letter.from, letter.flows);
    }
    std::erase_if(late, is_due);

    const auto [neighbours, weights] = links().row(i);
    std::vector<Vector<Real>> flows(rows.size());
    for (std::size_t s = 0; s < neighbours.size(); ++s) {
      const NodeId j = neighbours[s];
      if (j == i) continue;
      const auto w = static_cast<Real>(scale * weights[s]);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        flows[k] = w * (said.row(k, j) - said.row(k, i));
      }
      const Round rounds_late = weather_->lateness(j, i);
      if (rounds_late > 0) {
        late.push_back({.due = round_ + rounds_late, .mix = mixes_, .from = j, .flows = flows});
      } else {
        add(j, flows);
      }
    }
  });
}

template void Network::mix_by_letters(RowsList<float>, Mixing);
template void Network::mix_by_letters(RowsList<double>, Mixing);

}  // namespace driftless
