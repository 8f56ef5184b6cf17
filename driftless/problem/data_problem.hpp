#pragma once

#include <algorithm>
#include <memory>
#include <numeric>

#include "driftless/base/hosting.hpp"
#include "driftless/base/parallel.hpp"
#include "driftless/data/batches.hpp"
#include "driftless/problem/nn/model.hpp"
#include "driftless/problem/nn/regulariser.hpp"
#include "driftless/problem/problem.hpp"

namespace driftless {

struct DataProblemOptions {
  double l2 = 0;           // λ of λ/2 ‖x‖², in every f_i
  double nonconvex = 0;    // λ of λ Σ x_j²/(1 + x_j²), in every f_i
  std::uint64_t seed = 1;  // of the model that all nodes start from
};

// Who has which samples: those of the hosted nodes, and how many every node has.
struct NodeSamples {
  // All nodes are hosted here.
  explicit NodeSamples(Partition partition)
      : hosted{0, static_cast<NodeId>(partition.size())}, own(std::move(partition)) {
    for (const auto& samples : own) counts.push_back(std::ssize(samples));
  }
  // Of the whole partition only the hosted part is kept, and the counts are left to be told.
  NodeSamples(const Partition& partition, NodeRange range)
      : hosted(range), own(partition.begin() + range.first, partition.begin() + range.last) {}

  const std::vector<SampleId>& operator[](NodeId node) const {
    return own[static_cast<std::size_t>(node - hosted.first)];
  }

  NodeRange hosted;
  std::vector<std::vector<SampleId>> own;  // of the hosted nodes, in order
  std::vector<std::int64_t> counts = {};   // of all nodes
  std::optional<ToldSplit> told = {};
};

// A model trained on samples that the nodes hold: f_i is the mean loss of node i's samples and the
// regularisers, a stochastic gradient that of a batch. Where the model has dropout, f_i is the
// expectation over it: gradients, full ones too, draw their masks; losses have it switched off. The
// data are shared, never copied.
template <class Real>
class DataProblem final : public Problem<Real>, public Learning<Real> {
 public:
  DataProblem(std::shared_ptr<const LabelledData> data, std::shared_ptr<const Model<Real>> model,
              std::shared_ptr<const NodeSamples> samples, const Batches& batches,
              const DataProblemOptions& options)
      : data_(std::move(data)),
        model_(std::move(model)),
        samples_(std::move(samples)),
        batches_(batches),
        options_(options) {
    if (data_->test) {
      test_samples_.resize(static_cast<std::size_t>(data_->test->samples()));
      std::iota(test_samples_.begin(), test_samples_.end(), SampleId{0});
    }
  }
  // The same with all nodes hosted here.
  DataProblem(std::shared_ptr<const LabelledData> data, std::shared_ptr<const Model<Real>> model,
              Partition partition, const Batches& batches, const DataProblemOptions& options)
      : DataProblem(std::move(data), std::move(model),
                    std::make_shared<const NodeSamples>(std::move(partition)), batches, options) {}

  NodeId nodes() const override { return static_cast<NodeId>(samples_->counts.size()); }
  Index dim() const override { return model_->dim(); }
  void start(NodeId /*node*/, VectorView<Real> x) const override {
    model_->initialise(Draw{.seed = options_.seed}, x);
  }
  void gradient(NodeId node, const ConstVectorView<Real>& x, const Draw& draw,
                VectorView<Real> g) const override {
    thread_local std::vector<SampleId> batch;
    batches_.pick((*samples_)[node], draw, batch);
    model_->gradient(data_->train, batch, x, &draw, g);
    add_regularisers(x, g);
  }
  void full_gradient(NodeId node, const ConstVectorView<Real>& x, const Draw& draw,
                     VectorView<Real> g) const override {
    model_->gradient(data_->train, (*samples_)[node], x, &draw, g);
    add_regularisers(x, g);
  }
  double loss(NodeId node, const ConstVectorView<Real>& x) const override {
    const auto& mine = (*samples_)[node];
    return score(data_->train, mine, x).loss / static_cast<double>(mine.size()) + penalty(x);
  }
  const Learning<Real>* learning() const override { return this; }
  const LabelledData& data() const { return *data_; }

  std::int64_t samples(NodeId node) const override {
    return samples_->counts[static_cast<std::size_t>(node)];
  }
  double passes(std::int64_t gradients) const override {
    double passes = 0;
    for (const std::int64_t count : samples_->counts) {
      const std::int64_t batches_of_a_pass = (count + batches_.size() - 1) / batches_.size();
      passes += static_cast<double>(gradients) / static_cast<double>(batches_of_a_pass);
    }
    return passes / static_cast<double>(samples_->counts.size());
  }
  double penalty(const ConstVectorView<Real>& x) const override {
    double value = 0;
    if (options_.l2 > 0) value += ridge_value(options_.l2, x);
    if (options_.nonconvex > 0) value += saturating_value(options_.nonconvex, x);
    return value;
  }
  std::optional<typename Learning<Real>::Test> test(const ConstVectorView<Real>& x) const override {
    if (!data_->test) return std::nullopt;
    const Score all = score(*data_->test, test_samples_, x);
    const auto count = static_cast<double>(test_samples_.size());
    return {{.loss = all.loss / count, .accuracy = static_cast<double>(all.correct) / count}};
  }
  const ToldSplit* split() const override { return samples_->told ? &*samples_->told : nullptr; }

 private:
  // In pieces that threads share. They are cut the same way for any number of threads and summed in
  // order, so the figures are the same too.
  Score score(const Dataset& data, std::span<const SampleId> samples,
              const ConstVectorView<Real>& x) const {
    constexpr std::size_t piece = 500;
    std::vector<Score> scores((samples.size() + piece - 1) / piece);
    parallel(std::ssize(scores), [&](Index k) {
      const std::size_t begin = static_cast<std::size_t>(k) * piece;
      const std::size_t count = std::min(piece, samples.size() - begin);
      scores[static_cast<std::size_t>(k)] = model_->score(data, samples.subspan(begin, count), x);
    });
    Score sum;
    for (const Score& score : scores) {
      sum.loss += score.loss;
      sum.correct += score.correct;
    }
    return sum;
  }
  void add_regularisers(const ConstVectorView<Real>& x, VectorView<Real> g) const {
    if (options_.l2 > 0) add_ridge_gradient(options_.l2, x, g);
    if (options_.nonconvex > 0) add_saturating_gradient(options_.nonconvex, x, g);
  }

  std::shared_ptr<const LabelledData> data_;
  std::shared_ptr<const Model<Real>> model_;
  std::shared_ptr<const NodeSamples> samples_;
  Batches batches_;
  DataProblemOptions options_;
  std::vector<SampleId> test_samples_;
};

}  // namespace driftless
