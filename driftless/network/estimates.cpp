#include "driftless/network/estimates.hpp"

#include "driftless/network/network.hpp"
#include "driftless/network/scratch.hpp"

namespace driftless {

// A. Koloskova, S. Stich, M. Jaggi: Decentralized Stochastic Optimization and Gossip Algorithms
// with Compressed Communication, ICML 2019: m̂_j ← m̂_j + Q(m_j − m̂_j) at both ends of a link, and
// rows_i ← rows_i + γ Σ_j w_ij (m̂_j − m̂_i). Flows cancel in pairs for any Q.
template <class Real>
void Network::mix_estimates(RowsList<Real> rows, Mixing mixing) {
  const Codec<Real>& packer = *codec<Real>();
  std::vector<Rows<Real>>& own = estimates<Real>().own;
  auto& others = estimates<Real>().others;
  const auto draw = [&](NodeId i, std::size_t k) {
    return Draw{codec_seed_, i, round_, static_cast<Step>(mixes_ * rows.size() + k)};
  };
  while (own.size() < rows.size()) {
    const std::size_t k = own.size();
    own.emplace_back(hosted(), rows[k]->dim());
    for_each_member([&](NodeId i) { own[k][i] = estimates<Real>().before(k, rows[k]->dim()); });
  }

  Bytes letter = 0;
  for (const Rows<Real>* each : rows) letter += packer.bytes(each->dim());
  const NodeRange mine = hosted();
  std::vector<std::byte> letters(letter * static_cast<std::size_t>(mine.size()));
  const auto letter_of = [&](NodeId i) {
    return letters.data() + letter * static_cast<std::size_t>(i - mine.first);
  };
  for_each_node([&](NodeId i) {
    std::byte* to = letter_of(i);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const Vector<Real> missing = (*rows[k])[i] - own[k][i];
      packer.encode(missing.data(), missing.size(), draw(i, k), to);
      packer.add_decoded(to, missing.size(), draw(i, k), own[k].row(i));
      to += packer.bytes(missing.size());
    }
  });
  swap_letters(
      letter, [&](NodeId i, std::byte* to) { std::copy_n(letter_of(i), letter, to); },
      [&](NodeId j, const std::byte* from) {
        std::vector<Vector<Real>>& heard = others[j];
        for (std::size_t k = 0; k < rows.size(); ++k) {
          const Index dim = rows[k]->dim();
          if (heard.size() == k) heard.push_back(estimates<Real>().before(k, dim));
          packer.add_decoded(from, dim, draw(j, k), heard[k].data());
          from += packer.bytes(dim);
        }
      });

  const double scale = mixing == Mixing::lazy ? 0.5 : 1.0;
  for_each_node([&](NodeId i) {
    const auto [neighbours, weights] = links().row(i);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto said = [&](NodeId j) {
        if (mine.contains(j)) return Eigen::Map<const Vector<Real>>(own[k].row(j), own[k].dim());
        const Vector<Real>& heard = others.at(j)[k];
        return Eigen::Map<const Vector<Real>>(heard.data(), heard.size());
      };
      auto row = (*rows[k])[i];
      for (std::size_t s = 0; s < neighbours.size(); ++s) {
        if (neighbours[s] == i) continue;
        const auto w = static_cast<Real>(codec_rate_ * scale * weights[s]);
        row += w * (said(neighbours[s]) - said(i));
      }
    }
  });
}

template void Network::mix_estimates(RowsList<float>, Mixing);
template void Network::mix_estimates(RowsList<double>, Mixing);

}  // namespace driftless
