#include "driftless/graph/link_sequence.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

#include "driftless/base/random.hpp"

namespace driftless {
namespace {

// A node and its peer take half of each other; a node that is its own peer is idle.
void add_row_of_pair(NodeId i, NodeId peer, WeightRows& out) {
  if (peer == i) {
    out.add(i, 1);
  } else {
    out.add(std::min(i, peer), 0.5);
    out.add(std::max(i, peer), 0.5);
  }
  out.end_row();
}

class OnePeerExponential : public LinkSequence {
 public:
  explicit OnePeerExponential(NodeId nodes)
      : nodes_(nodes),
        bits_(std::max<Round>(1, std::bit_width(static_cast<unsigned>(nodes - 1)))) {}

  NodeId nodes() const override { return nodes_; }
  Round period() const override { return bits_; }
  NodeId most_peers() const override { return nodes_ > 1 ? 1 : 0; }

  void links(Round t, WeightRows& out) const override {
    clear_rows(out);
    const NodeId bit = NodeId{1} << (t % bits_);
    for (NodeId i = 0; i < nodes_; ++i) {
      const NodeId peer = i ^ bit;
      add_row_of_pair(i, peer < nodes_ ? peer : i, out);
    }
  }

 private:
  NodeId nodes_;
  Round bits_;
};

class RandomMatching : public LinkSequence {
 public:
  RandomMatching(NodeId nodes, std::uint64_t seed) : nodes_(nodes), seed_(seed) {}

  NodeId nodes() const override { return nodes_; }
  Round period() const override { return 0; }
  NodeId most_peers() const override { return nodes_ > 1 ? 1 : 0; }

  void links(Round t, WeightRows& out) const override {
    const std::vector<NodeId> order = shuffled(t);
    std::vector<NodeId> peers(order.size());
    std::iota(peers.begin(), peers.end(), 0);
    for (std::size_t k = 0; k + 1 < order.size(); k += 2) {
      peers[order[k]] = order[k + 1];
      peers[order[k + 1]] = order[k];
    }
    clear_rows(out);
    for (NodeId i = 0; i < nodes_; ++i) add_row_of_pair(i, peers[i], out);
  }

  // s I + (1 − s) W_t is I − w L with w = (1 − s) / 2 and L the Laplacian of the matching. L² = 2
  // L, so its square is I − 2 w (1 − w) L. A pair is matched with probability 1 / (n − 1), or 1 / n
  // if n is odd, so E[L] has n times that on vectors of zero mean.
  double expected_square(double stay) const override {
    if (nodes_ == 1) return 0;
    const double weight = (1 - stay) / 2;
    const double n = nodes_;
    return 1 - 2 * weight * (1 - weight) * (nodes_ % 2 == 0 ? n / (n - 1) : 1);
  }

 private:
  // Fisher and Yates; two numbers come of each block of four words.
  std::vector<NodeId> shuffled(Round t) const {
    std::vector<NodeId> order(nodes_);
    std::iota(order.begin(), order.end(), 0);
    const Draw draw{.seed = seed_, .node = 0, .round = t};
    std::array<std::uint32_t, 4> block{};
    for (std::uint32_t left = nodes_, drawn = 0; left > 1; --left, ++drawn) {
      const std::size_t half = drawn % 2 == 0 ? 0 : 2;
      if (half == 0) block = words(draw, Purpose::graph, drawn / 2);
      std::swap(order[left - 1], order[below(left, block[half], block[half + 1])]);
    }
    return order;
  }

  NodeId nodes_;
  std::uint64_t seed_;
};

class FixedLinks : public LinkSequence {
 public:
  explicit FixedLinks(MixingMatrix mixing)
      : mixing_(std::move(mixing)), most_peers_(mixing_.max_degree()) {}

  NodeId nodes() const override { return mixing_.nodes(); }
  Round period() const override { return 1; }
  NodeId most_peers() const override { return most_peers_; }
  void links(Round /*t*/, WeightRows& out) const override { out = mixing_.rows(); }

 private:
  MixingMatrix mixing_;
  NodeId most_peers_;
};

class LazyLinks : public LinkSequence {
 public:
  explicit LazyLinks(std::unique_ptr<LinkSequence> whole) : whole_(std::move(whole)) {}

  NodeId nodes() const override { return whole_->nodes(); }
  Round period() const override { return whole_->period(); }
  NodeId most_peers() const override { return whole_->most_peers(); }

  void links(Round t, WeightRows& out) const override {
    whole_->links(t, out);
    for (double& weight : out.weights) weight /= 2;
    for (NodeId i = 0; i < out.size(); ++i) {
      const auto columns = out.row(i).nodes;
      const auto before = std::ranges::lower_bound(columns, i) - columns.begin();
      out.weights[out.start[i] + before] += 0.5;
    }
  }

  // s I + (1 − s) (I + W) / 2 is r I + (1 − r) W with r = (1 + s) / 2.
  double expected_square(double stay) const override {
    return whole_->expected_square((1 + stay) / 2);
  }

 private:
  std::unique_ptr<LinkSequence> whole_;
};

}  // namespace

std::unique_ptr<LinkSequence> make_one_peer_exponential(NodeId nodes) {
  return std::make_unique<OnePeerExponential>(nodes);
}

std::unique_ptr<LinkSequence> make_random_matching(NodeId nodes, std::uint64_t seed) {
  return std::make_unique<RandomMatching>(nodes, seed);
}

std::unique_ptr<LinkSequence> make_fixed(MixingMatrix mixing) {
  return std::make_unique<FixedLinks>(std::move(mixing));
}

std::unique_ptr<LinkSequence> make_lazy(std::unique_ptr<LinkSequence> sequence) {
  return std::make_unique<LazyLinks>(std::move(sequence));
}

}  // namespace driftless
