#pragma once

#include <memory>

#include "driftless/data/batches.hpp"
#include "driftless/problem/nn/model.hpp"
#include "driftless/problem/problem.hpp"

namespace driftless {

struct DataProblemOptions {
  double l2 = 0;           // λ of λ/2 ‖x‖², in every f_i
  double nonconvex = 0;    // λ of λ Σ x_j²/(1 + x_j²), in every f_i
  std::uint64_t seed = 1;  // of the model that all nodes start from
};

// A model trained on samples that the nodes hold: f_i is the mean loss of node i's samples and the
// regularisers, a stochastic gradient that of a batch. Where the model has dropout, f_i is the
// expectation over it: gradients, full ones too, draw their masks; losses have it switched off. The
// data are shared, never copied.
template <class Real>
class DataProblem final : public Problem<Real>, public Learning<Real> {
 public:
  DataProblem(std::shared_ptr<const LabelledData> data, std::unique_ptr<const Model<Real>> model,
              Partition partition, const Batches& batches, const DataProblemOptions& options);

  NodeId nodes() const override { return static_cast<NodeId>(partition_.size()); }
  Index dim() const override { return model_->dim(); }
  void start(NodeId node, VectorView<Real> x) const override;
  void gradient(NodeId node, const ConstVectorView<Real>& x, const Draw& draw,
                VectorView<Real> g) const override;
  void full_gradient(NodeId node, const ConstVectorView<Real>& x, const Draw& draw,
                     VectorView<Real> g) const override;
  double loss(NodeId node, const ConstVectorView<Real>& x) const override;
  const Learning<Real>* learning() const override { return this; }

  std::int64_t samples(NodeId node) const override { return std::ssize(partition_[node]); }
  double passes(std::int64_t gradients) const override;
  double penalty(const ConstVectorView<Real>& x) const override;
  std::optional<typename Learning<Real>::Test> test(const ConstVectorView<Real>& x) const override;

 private:
  Score score(const Dataset& data, std::span<const SampleId> samples,
              const ConstVectorView<Real>& x) const;
  void add_regularisers(const ConstVectorView<Real>& x, VectorView<Real> g) const;

  std::shared_ptr<const LabelledData> data_;
  std::unique_ptr<const Model<Real>> model_;
  Partition partition_;
  Batches batches_;
  DataProblemOptions options_;
  std::vector<SampleId> test_samples_;
};

}  // namespace driftless
