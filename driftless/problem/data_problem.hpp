#pragma once

#include <memory>

#include "driftless/base/hosting.hpp"
#include "driftless/data/batches.hpp"
#include "driftless/problem/nn/model.hpp"
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
  explicit NodeSamples(Partition partition);
  // Of the whole partition only the hosted part is kept, and the counts are left to be told.
  NodeSamples(const Partition& partition, NodeRange hosted);

  const std::vector<SampleId>& operator[](NodeId node) const {
    return own[static_cast<std::size_t>(node - hosted.first)];
  }

  NodeRange hosted;
  std::vector<std::vector<SampleId>> own;  // of the hosted nodes, in order
  std::vector<std::int64_t> counts = {};   // of all nodes
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
              const DataProblemOptions& options);
  // The same with all nodes hosted here.
  DataProblem(std::shared_ptr<const LabelledData> data, std::shared_ptr<const Model<Real>> model,
              Partition partition, const Batches& batches, const DataProblemOptions& options)
      : DataProblem(std::move(data), std::move(model),
                    std::make_shared<const NodeSamples>(std::move(partition)), batches, options) {}

  NodeId nodes() const override { return static_cast<NodeId>(samples_->counts.size()); }
  Index dim() const override { return model_->dim(); }
  void start(NodeId node, VectorView<Real> x) const override;
  void gradient(NodeId node, const ConstVectorView<Real>& x, const Draw& draw,
                VectorView<Real> g) const override;
  void full_gradient(NodeId node, const ConstVectorView<Real>& x, const Draw& draw,
                     VectorView<Real> g) const override;
  double loss(NodeId node, const ConstVectorView<Real>& x) const override;
  const Learning<Real>* learning() const override { return this; }
  const LabelledData& data() const { return *data_; }

  std::int64_t samples(NodeId node) const override {
    return samples_->counts[static_cast<std::size_t>(node)];
  }
  double passes(std::int64_t gradients) const override;
  double penalty(const ConstVectorView<Real>& x) const override;
  std::optional<typename Learning<Real>::Test> test(const ConstVectorView<Real>& x) const override;

 private:
  Score score(const Dataset& data, std::span<const SampleId> samples,
              const ConstVectorView<Real>& x) const;
  void add_regularisers(const ConstVectorView<Real>& x, VectorView<Real> g) const;

  std::shared_ptr<const LabelledData> data_;
  std::shared_ptr<const Model<Real>> model_;
  std::shared_ptr<const NodeSamples> samples_;
  Batches batches_;
  DataProblemOptions options_;
  std::vector<SampleId> test_samples_;
};

}  // namespace driftless
