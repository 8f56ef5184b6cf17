#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "driftless/graph/compensated_sum.hpp"
#include "driftless/graph/link_list.hpp"
#include "driftless/graph/link_sequence.hpp"

namespace driftless {
namespace {

class ListedLinks : public LinkSequence {
 public:
  // Links that have no weights yet are weighted.
  ListedLinks(LinkList list, Weights weights) : nodes_(list.nodes), list_(std::move(list)) {
    std::vector<NodeId> degrees(nodes_, 0);
    for (std::size_t k = 0; k < list_.rounds.size(); ++k) {
      const auto links = std::span(list_.links).subspan(list_.rounds[k].first);
      use_degrees(links.first(list_.end(k) - list_.rounds[k].first), weights, degrees);
    }
  }

  NodeId nodes() const override { return nodes_; }
  Round period() const override { return list_.period; }
  NodeId most_peers() const override { return most_peers_; }

  void links(Round t, WeightRows& out) const override {
    const std::span<const ListedLink> links = links_of(t % list_.period);
    out.start.assign(nodes_ + 1, 1);
    out.start[0] = 0;
    for (const auto& [a, b, weight] : links) {
      ++out.start[a + 1];
      ++out.start[b + 1];
    }
    std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
    out.nodes.resize(out.start.back());
    out.weights.resize(out.start.back());

    // The links ascend by a, then by b. So rows ascend if lower ids come first, then the diagonal,
    // then higher ids.
    std::vector<std::size_t> next(out.start.begin(), out.start.end() - 1);
    std::vector<CompensatedSum> given(nodes_);
    const auto put = [&](NodeId i, NodeId j, double weight) {
      out.nodes[next[i]] = j;
      out.weights[next[i]++] = weight;
    };
    for (const auto& [a, b, weight] : links) {
      put(b, a, weight);
      given[a].add(weight);
      given[b].add(weight);
    }
    for (NodeId i = 0; i < nodes_; ++i) put(i, i, std::max(0.0, 1 - given[i].value()));
    for (const auto& [a, b, weight] : links) put(a, b, weight);
  }

 private:
  std::span<const ListedLink> links_of(Round number) const {
    const auto found = std::ranges::lower_bound(list_.rounds, number, {}, &ListedRound::number);
    if (found == list_.rounds.end() || found->number != number) return {};
    const std::size_t end = list_.end(found - list_.rounds.begin());
    return std::span(list_.links).subspan(found->first, end - found->first);
  }

  // Weights the links of a round where the file has no weights. The degrees are zero before and
  // after, so that a round costs as much as its links and not as all nodes.
  void use_degrees(std::span<ListedLink> links, Weights weights, std::vector<NodeId>& degrees) {
    NodeId largest = 0;
    for (const auto& [a, b, weight] : links) {
      largest = std::max({largest, ++degrees[a], ++degrees[b]});
    }
    most_peers_ = std::max(most_peers_, largest);
    if (!list_.weighted) {
      const bool by_largest = weights == Weights::max_degree || weights == Weights::lazy_max_degree;
      for (auto& [a, b, weight] : links) {
        const NodeId degree = by_largest ? largest : std::max(degrees[a], degrees[b]);
        weight = (is_lazy(weights) ? 0.5 : 1.0) / (1 + degree);
      }
    }
    for (const auto& [a, b, weight] : links) degrees[a] = degrees[b] = 0;
  }

  NodeId nodes_;
  LinkList list_;
  NodeId most_peers_ = 0;
};

}  // namespace

std::unique_ptr<LinkSequence> read_link_sequence(const std::filesystem::path& path,
                                                 std::optional<NodeId> nodes, Weights weights) {
  return std::make_unique<ListedLinks>(read_link_list(path, nodes), weights);
}

}  // namespace driftless
