#include "driftless/experiment/quality.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/experiment/tallies.hpp"

namespace driftless {
namespace {

std::optional<double> if_a_number(double value) {
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

// By classes over all nodes, and the areas under their curves; `tests` are the nodes' tallies.
template <class Real>
void measure_classes(const Learning<Real>& learning, const Network& network,
                     const Vector<Real>& mean, const std::vector<Tally>& tests, RunQuality& found) {
  if (found.tests == Tests::common) {
    const ClassQuality common = learning.quality(network.hosted().first, mean);
    found.classes = common.classes;
    found.area = if_a_number(common.area);
    return;
  }
  std::vector<ClassQuality> nodes(static_cast<std::size_t>(network.nodes()));
  network.for_each_member(
      [&](NodeId i) { nodes[static_cast<std::size_t>(i)] = learning.quality(i, mean); });
  const auto of_node = [&](NodeId i) -> const ClassQuality& {
    return nodes[static_cast<std::size_t>(i)];
  };
  // Processes must agree on it, and the first node here may be lost.
  const auto classes = static_cast<std::size_t>(std::ranges::max(network.gather(
      [&](NodeId i) { return static_cast<double>(of_node(i).classes.samples.size()); })));
  const auto add = [&](std::vector<std::int64_t> ClassTally::*field) {
    auto& sums = found.classes.*field;
    sums.resize(classes);
    for (std::size_t k = 0; k < sums.size(); ++k) {
      for (const double count : network.gather(
               [&](NodeId i) { return static_cast<double>((of_node(i).classes.*field)[k]); })) {
        sums[k] += static_cast<std::int64_t>(count);
      }
    }
  };
  add(&ClassTally::samples);
  add(&ClassTally::right);
  const std::vector<double> areas = network.gather([&](NodeId i) { return of_node(i).area; });
  double sum = 0;
  double weight = 0;
  for (std::size_t i = 0; i < areas.size(); ++i) {
    if (std::isnan(areas[i]) || !network.is_member(static_cast<NodeId>(i))) continue;
    if (!found.nodes.empty()) found.nodes[i].area = areas[i];
    sum += tests[i].samples * areas[i];
    weight += tests[i].samples;
  }
  if (weight > 0) found.area = sum / weight;
}

}  // namespace

const NodeFigures* RunQuality::worst() const {
  if (tests != Tests::own || nodes.empty()) return nullptr;
  const auto badness = [&](const NodeFigures& node) {
    if (node.average.samples == 0) return -std::numeric_limits<double>::infinity();  // is lost
    return classifies ? -node.average.accuracy() : node.average.mean_loss();
  };
  return &*std::ranges::max_element(nodes, {}, badness);
}

template <class Real>
std::optional<RunQuality> measure_quality(const Learning<Real>& learning, const Network& network,
                                          const Rows<Real>& models, const Vector<Real>& mean,
                                          bool every_node) {
  if (learning.tests() == Tests::none) return std::nullopt;
  RunQuality found{.tests = learning.tests(), .classifies = learning.classifies()};
  NodeTallies own;
  if (every_node) {
    own = gather_tallies(network, [&](NodeId i) { return learning.test(i, models[i]); });
  }
  NodeTallies average;
  if (found.tests == Tests::own) {
    average = gather_tallies(network, [&](NodeId i) { return learning.test(i, mean); });
  } else {
    average.all = learning.test(network.hosted().first, mean);
    average.nodes.assign(static_cast<std::size_t>(network.nodes()), average.all);
  }
  found.all = average.all;
  if (const auto spread = learning.target_spread()) found.r2 = 1 - found.all.loss / *spread;
  if (average.nodes.size() <= most_told) {
    for (std::size_t i = 0; i < average.nodes.size(); ++i) {
      const auto node = static_cast<NodeId>(i);
      found.nodes.push_back({.site = learning.site(node),
                             .samples = learning.samples(node),
                             .average = average.nodes[i],
                             .own = every_node ? std::optional(own.nodes[i]) : std::nullopt,
                             .area = {}});
    }
  }
  if (found.classifies) measure_classes(learning, network, mean, average.nodes, found);
  return found;
}

template std::optional<RunQuality> measure_quality(const Learning<float>&, const Network&,
                                                   const Rows<float>&, const Vector<float>&, bool);
template std::optional<RunQuality> measure_quality(const Learning<double>&, const Network&,
                                                   const Rows<double>&, const Vector<double>&,
                                                   bool);

}  // namespace driftless
