#include "driftless/data/batches.hpp"

#include <algorithm>

#include "driftless/data/shuffled_order.hpp"

namespace driftless {

Batches::Batches(SampleId size, Sampling sampling, Step steps_per_round)
    : size_(size), sampling_(sampling), steps_per_round_(steps_per_round) {
  if (size < 1) throw ConfigError("a batch of {} samples, expected 1 or more", size);
  if (steps_per_round < 1) {
    throw ConfigError("{} steps a round, expected 1 or more", steps_per_round);
  }
}

void Batches::pick(std::span<const SampleId> mine, const Draw& draw,
                   std::vector<SampleId>& out) const {
  out.clear();
  if (std::ssize(mine) <= size_) {
    out.assign(mine.begin(), mine.end());
  } else if (sampling_ == Sampling::shuffle) {
    pick_of_pass(mine, draw, out);
  } else {
    pick_independently(mine, draw, out);
  }
}

void Batches::pick_of_pass(std::span<const SampleId> mine, const Draw& draw,
                           std::vector<SampleId>& out) const {
  const auto count = static_cast<std::uint32_t>(mine.size());
  const auto size = static_cast<std::uint32_t>(size_);
  const std::int64_t batches_a_pass = (count - 1) / size + 1;
  const std::int64_t batch = draw.round * steps_per_round_ + draw.step;
  const ShuffledOrder order(
      count, {.seed = draw.seed, .node = draw.node, .round = batch / batches_a_pass});
  const auto first = static_cast<std::uint32_t>(batch % batches_a_pass) * size;
  const std::uint32_t last = first + std::min(size, count - first);
  for (std::uint32_t place = first; place < last; ++place) out.push_back(mine[order[place]]);
}

void Batches::pick_independently(std::span<const SampleId> mine, const Draw& draw,
                                 std::vector<SampleId>& out) const {
  const auto count = static_cast<std::uint32_t>(mine.size());
  const auto size = static_cast<std::uint32_t>(size_);
  for (std::uint32_t k = 0; k < size; k += 2) {
    const auto [a, b, c, d] = words(draw, Purpose::batch, k / 2);
    out.push_back(mine[below(count, a, b)]);
    if (k + 1 < size) out.push_back(mine[below(count, c, d)]);
  }
}

}  // namespace driftless
