#include "driftless/data/sites.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "driftless/base/error.hpp"
#include "driftless/data/idx.hpp"
#include "driftless/data/load.hpp"
#include "driftless/data/site_shape.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view placeholder = "{node}";

template <class Number>
void extend(std::vector<Number>& all, const std::vector<Number>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

void append_inputs(Images& all, const Images& more) { extend(all.pixels, more.pixels); }
void append_inputs(DenseRows& all, const DenseRows& more) { extend(all.values, more.values); }
void append_inputs(SparseRows& all, const SparseRows& more) {
  const std::int64_t before = all.starts.back();
  for (std::size_t s = 1; s < more.starts.size(); ++s) {
    all.starts.push_back(before + more.starts[s]);
  }
  extend(all.features, more.features);
  extend(all.values, more.values);
}

// Gives the places of the appended samples. Both have all their inputs, of one kind.
std::vector<SampleId> append(Dataset& all, const Dataset& more) {
  std::vector<SampleId> places(static_cast<std::size_t>(more.samples()));
  std::iota(places.begin(), places.end(), all.samples());
  extend(all.labels, more.labels);
  extend(all.targets, more.targets);
  std::visit(
      [&]<class Inputs>(Inputs& inputs) { append_inputs(inputs, std::get<Inputs>(more.inputs)); },
      all.inputs);
  return places;
}

// The greys of the training images of all nodes make one normalisation for all.
void normalise_images(std::vector<LabelledData>& nodes, const Processes& processes) {
  std::vector<std::int64_t> own(256);
  for (const LabelledData& node : nodes) {
    for (const std::uint8_t pixel : node.train.images()->pixels) ++own[pixel];
  }
  const std::vector<std::int64_t> all = processes.gather_numbers(own);
  Greys greys{};
  for (std::size_t k = 0; k < all.size(); ++k) {
    greys[k % greys.size()] += static_cast<std::uint64_t>(all[k]);
  }
  for (LabelledData& node : nodes) {
    normalise(std::get<Images>(node.train.inputs), greys);
    if (node.test) normalise(std::get<Images>(node.test->inputs), greys);
  }
}

}  // namespace

bool names_sites(const NamedFiles& named) {
  return named.size() > 1 ||
         (named.size() == 1 && named.front().string().find(placeholder) != std::string::npos);
}

fs::path site_file(const NamedFiles& named, NodeId node) {
  if (named.size() > 1) return named[static_cast<std::size_t>(node)];
  std::string name = named.front().string();
  const std::string number = std::to_string(node);
  for (std::size_t at = name.find(placeholder); at != std::string::npos;
       at = name.find(placeholder, at + number.size())) {
    name.replace(at, placeholder.size(), number);
  }
  return name;
}

Sites::Sites(NamedFiles data, NamedFiles test, NodeRange hosted, const ReadOptions& options)
    : data_(std::move(data)), tests_(std::move(test)), hosted_(hosted), options_(options) {
  for (NodeId i = hosted_.first; i < hosted_.last; ++i) {
    nodes_.push_back(load_data(site_file(data_, i).string(), std::nullopt, {}, options_));
    if (nodes_.back().test && !tests_.empty()) {
      throw ConfigError("problem.test_data beside {}: that folder holds its own test samples",
                        site_file(data_, i).string());
    }
  }
}

void Sites::agree(const Processes& processes) {
  compare_shapes(processes);
  if (nodes_.front().train.images() != nullptr) normalise_images(nodes_, processes);
  const std::string fault = fault_in([&] { read_tests(); });
  processes.agree(fault);
  const auto tested = [](const LabelledData& node) { return node.test.has_value(); };
  const std::int64_t own = std::ranges::count_if(nodes_, tested);
  const std::vector<std::int64_t> all = processes.gather_numbers({own, std::ssize(nodes_) - own});
  std::int64_t with = 0;
  std::int64_t without = 0;
  for (std::size_t k = 0; k < all.size(); ++k) (k % 2 == 0 ? with : without) += all[k];
  if (with == 0 || without == 0) return;
  throw DataError("{} of {} sites hold test samples; give them to all sites, or to none", with,
                  with + without);
}

void Sites::compare_shapes(const Processes& processes) {
  std::vector<SiteShape> own;
  for (const LabelledData& node : nodes_) own.push_back(shape_of(node.train));
  const std::vector<SiteShape> all = gather_shapes(own, processes);
  const auto name = [&](std::size_t node) {
    return site_file(data_, static_cast<NodeId>(node)).string();
  };
  throw_if_different(all, name);

  const auto odd = std::ranges::find_if(
      all, [&](const SiteShape& shape) { return shape.columns != all.front().columns; });
  if (odd != all.end()) {
    const auto node = static_cast<NodeId>(odd - all.begin());
    const std::string hashes =
        processes.broadcast(hosted_.contains(0) ? column_hashes(nodes_.front().train) : "");
    std::string fault;
    if (hosted_.contains(node)) {
      const Dataset& differing = nodes_[static_cast<std::size_t>(node - hosted_.first)].train;
      fault = column_difference(differing, name(static_cast<std::size_t>(node)), hashes, name(0));
    }
    for (const std::string& told : processes.gather(fault))
      if (!told.empty()) throw DataError("{}", told);
  }
  // A site whose samples lack the last features of sparse data does not know of them.
  for (LabelledData& node : nodes_) {
    node.train.features = std::ranges::max(all, {}, &SiteShape::features).features;
  }
}

void Sites::read_tests() {
  if (tests_.empty()) return;
  if (!names_sites(tests_)) {
    common_test_ = read_dataset(tests_.front(), options_, &nodes_.front().train);
    return;
  }
  for (NodeId i = hosted_.first; i < hosted_.last; ++i) {
    LabelledData& node = nodes_[static_cast<std::size_t>(i - hosted_.first)];
    node.test = read_dataset(site_file(tests_, i), options_, &node.train);
  }
}

LabelledData Sites::merge() {
  LabelledData all = std::move(nodes_.front());
  train_.push_back(every_sample(all.train));
  if (all.test) test_.push_back(every_sample(*all.test));
  for (std::size_t k = 1; k < nodes_.size(); ++k) {
    train_.push_back(append(all.train, nodes_[k].train));
    if (all.test) test_.push_back(append(*all.test, *nodes_[k].test));
    nodes_[k] = {};  // no two copies of more than one node
  }
  if (common_test_) all.test = std::move(common_test_);
  return all;
}

}  // namespace driftless
