#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driftless/base/draw.hpp"
#include "driftless/base/named.hpp"
#include "driftless/data/dataset.hpp"

namespace driftless {

// Which node has which samples.
enum class Split {
  random,     // a random order dealt in equal parts: every node has a bit of everything
  sorted,     // every node has its own classes, as far as numbers allow
  dirichlet,  // each class is spread over the nodes in random proportions
  shards,     // every node has a few random pieces of the samples in order of their classes
};

template <>
inline constexpr auto values_of<Split> = std::to_array<Named<Split>>({
    {Split::random, "random", "a random order dealt in equal parts"},
    {Split::sorted, "sorted", "every node has its own classes"},
    {Split::dirichlet, "dirichlet", "each class in random proportions, drawn from Dir(alpha)"},
    {Split::shards, "shards", "a few random pieces of the samples in order of their classes"},
});

struct SplitOptions {
  Split split = Split::sorted;
  double alpha = 0.1;      // dirichlet: the smaller, the more unequal; above 0
  int shards = 2;          // shards: pieces of each node
  std::uint64_t seed = 1;  // of all but sorted
};

// Every sample goes to exactly one node and no node is empty; the samples of a node ascend.
//
// sorted: samples in order of their class, and within a class in the order of the data. When the
// number of nodes divides the number of classes that occur, each node has the same number of whole
// classes; when it is a multiple of it, each class is cut into as many ranges; else, or when a
// class has too few samples for its nodes, the samples in order are cut into ranges as equal as can
// be. Where numbers are learnt, the samples in their order are cut so.
//
// dirichlet: the proportions of each class are drawn from Dir(alpha, …, alpha) over the nodes. A
// node that would be empty takes one sample of the node that has the most.
//
// Throws ConfigError when there are too few samples for the nodes.
Partition make_split(const Dataset& data, NodeId nodes, const SplitOptions& options);

// `count` proportions that sum to 1, drawn from Dir(alpha, …, alpha): Gamma(alpha) variables by
// Marsaglia and Tsang (ACM TOMS 26, 2000) over their sum. They are kept as logarithms, since for a
// small alpha nearly all are below the smallest double. Number i takes the words of node i of the
// draw, purpose split. Throws ConfigError unless alpha is above 0 and finite.
std::vector<double> dirichlet(double alpha, NodeId count, const Draw& draw);

// counts[i][k]: how many samples of class k node i has.
using SplitCounts = std::vector<std::vector<std::int64_t>>;
SplitCounts count_classes(const Dataset& data, const Partition& partition);

// A split as it is told to readers: the classes by name, and who has how many samples of each.
struct ToldSplit {
  std::vector<std::string> class_names;
  SplitCounts counts;
};
inline constexpr std::size_t most_told = 100;  // nodes, and classes: more would show nothing

}  // namespace driftless
