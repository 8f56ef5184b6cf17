#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "driftless/graph/families.hpp"
#include "driftless/graph/weights.hpp"
#include "driftless/network/weather.hpp"

namespace driftless::testing {

inline MixingMatrix graph_of(const std::string& family, NodeId nodes) {
  return make_mixing(make_graph({.family = family, .nodes = nodes}), Weights::metropolis);
}

inline std::shared_ptr<const LinkSequence> fixed(const std::string& family, NodeId nodes) {
  return make_fixed(graph_of(family, nodes));
}

// The share of so many independent tries, within five standard deviations; `effective` tries of
// those that hang together count.
inline void expect_share(double found, double tries, double share, double effective) {
  EXPECT_NEAR(found / tries, share, 5 * std::sqrt(share * (1 - share) / effective));
}
inline void expect_share(double found, double tries, double share) {
  expect_share(found, tries, share, tries);
}

// How long something lasted each time, as rounds go by; what began before the first round or has
// not ended does not count.
class Spells {
 public:
  void add(bool out) {
    if (out) {
      length_ += was_in_ || length_ > 0 ? 1 : 0;
    } else if (length_ > 0) {
      lengths_.push_back(length_);
      length_ = 0;
    }
    was_in_ = !out;
  }
  const std::vector<Round>& lengths() const { return lengths_; }

 private:
  bool was_in_ = false;
  Round length_ = 0;
  std::vector<Round> lengths_;
};

// Lengths that end in each round with the same chance have this mean, and not much more deviation.
inline void expect_mean_length(const std::vector<Round>& lengths, double mean) {
  double sum = 0;
  for (const Round length : lengths) sum += static_cast<double>(length);
  const auto count = static_cast<double>(lengths.size());
  EXPECT_NEAR(sum / count, mean, 5 * std::sqrt(mean * (mean - 1) / count));
}

}  // namespace driftless::testing
