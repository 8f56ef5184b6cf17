#include "tests/support/network_posts.hpp"

namespace driftless::testing {
namespace {

class RowOfNumbers {
 public:
  explicit RowOfNumbers(const Eigen::Map<const Vector<double>>& numbers) : numbers_(numbers) {}

  std::int64_t integer() {
    const double high = numbers_[next_++];
    return static_cast<std::int64_t>(high * 0x1p24 + numbers_[next_++]);
  }
  Vector<double> vector() {
    const Index size = integer();
    next_ += size;
    return numbers_.segment(next_ - size, size);
  }
  std::vector<Vector<double>> vectors() {
    std::vector<Vector<double>> all(static_cast<std::size_t>(integer()));
    for (auto& each : all) each = vector();
    return all;
  }

 private:
  Eigen::Map<const Vector<double>> numbers_;
  Index next_ = 0;
};

}  // namespace

std::vector<NodePost> posts_of(const Network& network) {
  const Rows<double> state = network.state<double>();
  std::vector<NodePost> posts(static_cast<std::size_t>(network.nodes()));
  for (NodeId i = 0; i < network.nodes() && state.dim() > 0; ++i) {
    RowOfNumbers row(state[i]);
    NodePost& post = posts[static_cast<std::size_t>(i)];
    post.late.resize(static_cast<std::size_t>(row.integer()));
    for (auto& letter : post.late) {
      letter.rounds = row.integer();
      letter.mix = static_cast<Step>(row.integer());
      letter.from = static_cast<NodeId>(row.integer());
      letter.flows = row.vectors();
    }
    for (auto neighbours = row.integer(); neighbours > 0; --neighbours) {
      const auto from = static_cast<NodeId>(row.integer());
      post.ledger[from] = row.vector();
    }
    post.believed = row.vectors();
  }
  return posts;
}

Vector<double> under_way(const Network& network, Index dim, Index k) {
  Vector<double> sum = Vector<double>::Zero(dim);
  for (const NodePost& post : posts_of(network)) {
    for (const auto& letter : post.late) {
      sum += k < 0 ? letter.flows.back() : letter.flows[static_cast<std::size_t>(k)];
    }
  }
  return sum;
}

}  // namespace driftless::testing
