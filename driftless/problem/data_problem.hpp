#pragma once

#include <algorithm>
#include <memory>

#include "driftless/base/parallel.hpp"
#include "driftless/data/batches.hpp"
#include "driftless/problem/nn/model.hpp"
#include "driftless/problem/nn/regulariser.hpp"
#include "driftless/problem/node_samples.hpp"
#include "driftless/problem/problem.hpp"

namespace driftless {

struct DataProblemOptions {
  double l2 = 0;                                // λ of λ/2 ‖x‖², in every f_i
  double nonconvex = 0;                         // λ of λ Σ x_j²/(1 + x_j²), in every f_i
  std::uint64_t seed = 1;                       // of the model that all nodes start from
  std::shared_ptr<const Optimum> optimum = {};  // of f, where it was sought
  std::vector<std::string> sites = {};          // the file of each node; empty: none has its own
  std::shared_ptr<const ModelCard> card = {};
};

// A model trained on samples that the nodes hold: f_i is the mean loss of node i's samples times
// the node's weight and the regularisers, a stochastic gradient that of a batch. Where the model
// has dropout, f_i is the expectation over it: gradients, full ones too, draw their masks; losses
// have it switched off. The data are shared, never copied.
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
    if (data_->test) test_samples_ = every_sample(*data_->test);
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
    weigh(node, g);
    add_regularisers(x, g);
  }
  void full_gradient(NodeId node, const ConstVectorView<Real>& x, const Draw& draw,
                     VectorView<Real> g) const override {
    model_->gradient(data_->train, (*samples_)[node], x, &draw, g);
    weigh(node, g);
    add_regularisers(x, g);
  }
  double loss(NodeId node, const ConstVectorView<Real>& x) const override {
    const Tally mine = tally(data_->train, (*samples_)[node], x);
    return weight(node) * mine.mean_loss() + penalty(x);
  }
  const Optimum* optimum() const override { return options_.optimum.get(); }
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
  double weight(NodeId node) const override {
    return samples_->weights.empty() ? 1 : samples_->weights[static_cast<std::size_t>(node)];
  }
  Tests tests() const override {
    if (!data_->test) return Tests::none;
    return samples_->tests.empty() ? Tests::common : Tests::own;
  }
  Tally test(NodeId node, const ConstVectorView<Real>& x) const override {
    return tally(*data_->test, test_samples(node), x);
  }
  bool validates() const override { return !samples_->held_out.empty(); }
  Tally validate(NodeId node, const ConstVectorView<Real>& x) const override {
    return tally(data_->train, samples_->of(samples_->held_out, node), x);
  }
  bool classifies() const override { return data_->train.targets.empty(); }
  std::optional<double> target_spread() const override { return samples_->target_spread; }
  ClassQuality quality(NodeId node, const ConstVectorView<Real>& x) const override {
    const std::span<const SampleId> samples = test_samples(node);
    const auto outputs = static_cast<std::size_t>(model_->outputs());
    std::vector<double> probabilities(samples.size() * outputs);
    in_pieces(samples, [&](std::size_t begin, std::span<const SampleId> piece) {
      model_->predict(*data_->test, piece, x, probabilities.data() + begin * outputs);
    });
    std::vector<std::int32_t> labels;
    for (const SampleId sample : samples) {
      labels.push_back(data_->test->labels[static_cast<std::size_t>(sample)]);
    }
    return quality_of(labels, data_->test->classes(), probabilities);
  }
  const ToldSplit* split() const override { return samples_->told ? &*samples_->told : nullptr; }
  std::string site(NodeId node) const override {
    return options_.sites.empty() ? "" : options_.sites[static_cast<std::size_t>(node)];
  }
  const ModelCard* card() const override { return options_.card.get(); }

 private:
  static constexpr std::size_t piece_size = 500;

  // Threads share the pieces. They are cut the same way for any number of threads.
  template <class Work>
  static void in_pieces(std::span<const SampleId> samples, const Work& work) {
    parallel(static_cast<Index>((samples.size() + piece_size - 1) / piece_size), [&](Index k) {
      const std::size_t begin = static_cast<std::size_t>(k) * piece_size;
      work(begin, samples.subspan(begin, std::min(piece_size, samples.size() - begin)));
    });
  }
  // Summed in the order of the pieces, so the figures are the same for any number of threads too.
  Tally tally(const Dataset& data, std::span<const SampleId> samples,
              const ConstVectorView<Real>& x) const {
    std::vector<Score> scores((samples.size() + piece_size - 1) / piece_size);
    in_pieces(samples, [&](std::size_t begin, std::span<const SampleId> piece) {
      scores[begin / piece_size] = model_->score(data, piece, x);
    });
    Tally sum{.samples = static_cast<double>(samples.size())};
    for (const Score& score : scores) {
      sum.loss += score.loss;
      sum.correct += static_cast<double>(score.correct);
    }
    return sum;
  }
  std::span<const SampleId> test_samples(NodeId node) const {
    return samples_->tests.empty() ? test_samples_ : samples_->of(samples_->tests, node);
  }
  void weigh(NodeId node, VectorView<Real> g) const {
    if (!samples_->weights.empty()) g *= static_cast<Real>(weight(node));
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
  std::vector<SampleId> test_samples_;  // all of them
};

}  // namespace driftless
