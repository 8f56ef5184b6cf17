#include "driftless/problem/data_problem.hpp"

#include <algorithm>
#include <numeric>

#include "driftless/base/parallel.hpp"
#include "driftless/problem/nn/regulariser.hpp"

namespace driftless {

NodeSamples::NodeSamples(Partition partition)
    : hosted{0, static_cast<NodeId>(partition.size())}, own(std::move(partition)) {
  for (const auto& samples : own) counts.push_back(std::ssize(samples));
}

NodeSamples::NodeSamples(const Partition& partition, NodeRange range)
    : hosted(range), own(partition.begin() + range.first, partition.begin() + range.last) {}

template <class Real>
DataProblem<Real>::DataProblem(std::shared_ptr<const LabelledData> data,
                               std::shared_ptr<const Model<Real>> model,
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

template <class Real>
void DataProblem<Real>::start(NodeId, VectorView<Real> x) const {
  model_->initialise(Draw{.seed = options_.seed}, x);
}

template <class Real>
void DataProblem<Real>::gradient(NodeId node, const ConstVectorView<Real>& x, const Draw& draw,
                                 VectorView<Real> g) const {
  thread_local std::vector<SampleId> batch;
  batches_.pick((*samples_)[node], draw, batch);
  model_->gradient(data_->train, batch, x, &draw, g);
  add_regularisers(x, g);
}

template <class Real>
void DataProblem<Real>::full_gradient(NodeId node, const ConstVectorView<Real>& x, const Draw& draw,
                                      VectorView<Real> g) const {
  model_->gradient(data_->train, (*samples_)[node], x, &draw, g);
  add_regularisers(x, g);
}

template <class Real>
double DataProblem<Real>::loss(NodeId node, const ConstVectorView<Real>& x) const {
  const auto& mine = (*samples_)[node];
  return score(data_->train, mine, x).loss / static_cast<double>(mine.size()) + penalty(x);
}

template <class Real>
double DataProblem<Real>::passes(std::int64_t gradients) const {
  double passes = 0;
  for (const std::int64_t count : samples_->counts) {
    const std::int64_t batches_of_a_pass = (count + batches_.size() - 1) / batches_.size();
    passes += static_cast<double>(gradients) / static_cast<double>(batches_of_a_pass);
  }
  return passes / static_cast<double>(samples_->counts.size());
}

template <class Real>
double DataProblem<Real>::penalty(const ConstVectorView<Real>& x) const {
  double value = 0;
  if (options_.l2 > 0) value += ridge_value(options_.l2, x);
  if (options_.nonconvex > 0) value += saturating_value(options_.nonconvex, x);
  return value;
}

template <class Real>
void DataProblem<Real>::add_regularisers(const ConstVectorView<Real>& x, VectorView<Real> g) const {
  if (options_.l2 > 0) add_ridge_gradient(options_.l2, x, g);
  if (options_.nonconvex > 0) add_saturating_gradient(options_.nonconvex, x, g);
}

template <class Real>
std::optional<typename Learning<Real>::Test> DataProblem<Real>::test(
    const ConstVectorView<Real>& x) const {
  if (!data_->test) return std::nullopt;
  const Score all = score(*data_->test, test_samples_, x);
  const auto count = static_cast<double>(test_samples_.size());
  return {{.loss = all.loss / count, .accuracy = static_cast<double>(all.correct) / count}};
}

// In pieces that threads share. They are cut the same way for any number of threads and summed in
// order, so the figures are the same too.
template <class Real>
Score DataProblem<Real>::score(const Dataset& data, std::span<const SampleId> samples,
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

template class DataProblem<float>;
template class DataProblem<double>;

}  // namespace driftless
