#pragma once

#include <span>
#include <vector>

#include "driftless/base/draw.hpp"
#include "driftless/base/named.hpp"
#include "driftless/data/dataset.hpp"

namespace driftless {

enum class Sampling {
  shuffle,  // every pass over a node's samples takes each once, in a fresh order
  iid,      // every sample of a batch is drawn from all, independently
};

template <>
inline constexpr auto values_of<Sampling> = std::to_array<Named<Sampling>>({
    {Sampling::shuffle, "shuffle"},
    {Sampling::iid, "iid"},
});

// Which samples a step sees: a pure function of the draw, so that nothing is kept between steps.
//
// A node's batches are counted through: step k of round t takes batch t · steps_per_round + k. With
// shuffle, m samples make passes of ⌈m / size⌉ batches, the last one being the rest, and the order
// of pass p depends on (seed, node, p) alone. A node with no more samples than a batch always takes
// all of them, in either way.
class Batches {
 public:
  Batches(SampleId size, Sampling sampling, Step steps_per_round);

  // out ← the samples of the batch that the draw names, chosen of those of the node.
  void pick(std::span<const SampleId> mine, const Draw& draw, std::vector<SampleId>& out) const;

  SampleId size() const { return size_; }

 private:
  void pick_of_pass(std::span<const SampleId> mine, const Draw& draw,
                    std::vector<SampleId>& out) const;
  void pick_independently(std::span<const SampleId> mine, const Draw& draw,
                          std::vector<SampleId>& out) const;

  SampleId size_;
  Sampling sampling_;
  Step steps_per_round_;
};

}  // namespace driftless
