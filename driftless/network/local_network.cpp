#include "driftless/network/local_network.hpp"

#include <algorithm>

#include "driftless/base/kernels.hpp"
#include "driftless/base/parallel.hpp"

namespace driftless {
namespace {

// Fewer columns than this are not worth a call.
template <class Real>
constexpr Index least_columns = Index{128} / sizeof(Real);

// How many columns to take at a time so that `rows` pieces of them stay in a core's L2 cache.
template <class Real>
Index block_columns(Index rows, Index dim) {
  constexpr Index cache = Index{512} << 10;
  return std::clamp(cache / static_cast<Index>(rows * sizeof(Real)),
                    std::min(least_columns<Real>, dim), dim);
}

// How many of all columns each thread can take, unless the work is too little to share.
template <class Real>
Index shared_columns(Index rows, Index columns) {
  constexpr Index worth_sharing = Index{64} << 10;
  const Index threads = tbb::this_task_arena::max_concurrency();
  if (rows * columns * static_cast<Index>(sizeof(Real)) < worth_sharing) return columns;
  return std::max((columns + threads - 1) / threads, least_columns<Real>);
}

template <class Real>
void mix_columns(const WeightRows& links, const MixPlan& plan, bool lazy, Rows<Real>& rows,
                 Index begin, Index width) {
  Vector<Real> waiting(plan.slots * width);
  std::vector<const Real*> sources;
  std::vector<Real> weights;
  std::size_t moved = 0;
  for (std::size_t step = 0; step < plan.order.size(); ++step) {
    const NodeId i = plan.order[step];
    sources.clear();
    weights.clear();
    const auto row = links.row(i);
    for (std::size_t k = 0; k < row.nodes.size(); ++k) {
      const NodeId j = row.nodes[k];
      const double w = lazy ? 0.5 * row.weights[k] + (j == i ? 0.5 : 0.0) : row.weights[k];
      sources.push_back(rows.row(j) + begin);
      weights.push_back(static_cast<Real>(w));
    }
    const auto slot_of = [&](NodeId j) {
      return waiting.data() + plan.slot[static_cast<std::size_t>(j)] * width;
    };
    kernel::weighted_sum(slot_of(i), sources.data(), weights.data(),
                         static_cast<Index>(sources.size()), width);
    const auto settled = static_cast<std::size_t>(plan.settled_end[step]);
    for (; moved < settled; ++moved) {
      const NodeId j = plan.settled[moved];
      std::copy_n(slot_of(j), width, rows.row(j) + begin);
    }
  }
}

template <class Real>
void mix_in_place(const WeightRows& links, const MixPlan& plan, bool lazy, RowsList<Real> all) {
  Index columns = 0;
  for (const Rows<Real>* rows : all) columns += rows->dim();
  const Index share = shared_columns<Real>(links.size(), columns);
  const Index rows_in_cache = plan.slots + plan.most_sources;
  const auto blocks_of = [&](const Rows<Real>& rows) -> Index {
    const Index dim = rows.dim();
    if (dim == 0) return 0;
    const Index width = std::min(block_columns<Real>(rows_in_cache, dim), share);
    return (dim + width - 1) / width;
  };
  Index tasks = 0;
  for (const Rows<Real>* rows : all) tasks += blocks_of(*rows);
  parallel(tasks, [&](Index task) {
    Index block = task;
    for (Rows<Real>* rows : all) {
      const Index blocks = blocks_of(*rows);
      if (blocks == 0) continue;
      if (block < blocks) {
        const Index begin = block * rows->dim() / blocks;
        const Index end = (block + 1) * rows->dim() / blocks;
        return mix_columns(links, plan, lazy, *rows, begin, end - begin);
      }
      block -= blocks;
    }
  });
}

template <class Real>
void average_in_place(const AverageRequest<Real>& request) {
  for (Rows<Real>* rows : request.rows) {
    const Index dim = rows->dim();
    const NodeId n = rows->hosted().size();
    const Index width = std::max<Index>(1, block_columns<Real>(n, dim));
    parallel((dim + width - 1) / width, [&](Index block) {
      const Index begin = block * width;
      const Index columns = std::min(width, dim - begin);
      Vector<Real> sum = Vector<Real>::Zero(columns);
      for (NodeId i = 0; i < n; ++i)
        kernel::sum_in_order(sum.data(), rows->row(i) + begin, columns);
      sum /= static_cast<Real>(request.count);
      for (NodeId i = 0; i < n; ++i) std::copy_n(sum.data(), columns, rows->row(i) + begin);
    });
  }
}

// A few nodes at a time: a vector of every node at once would cost as much as a row of the
// algorithm.
template <class Real>
void ordered_mean(NodeId n, MeanRequest<Real> mean) {
  constexpr NodeId chunk = 32;
  auto& out = mean.out;
  Rows<Real> part({0, std::min(n, chunk)}, out.size());
  out.setZero();
  for (NodeId begin = 0; begin < n; begin += chunk) {
    const NodeId count = std::min(chunk, n - begin);
    parallel(count, [&](Index k) {
      mean.of(begin + static_cast<NodeId>(k), part[static_cast<NodeId>(k)]);
    });
    for (NodeId k = 0; k < count; ++k) kernel::sum_in_order(out.data(), part.row(k), out.size());
  }
  out /= static_cast<Real>(mean.count);
}

}  // namespace

void LocalNetwork::mix_rows(FloatOrDouble<RowsList> rows, Mixing kind) {
  std::optional<MixPlan> of_round;
  if (!plan_) of_round.emplace(links());
  const MixPlan& plan = plan_ ? *plan_ : *of_round;
  std::visit([&](auto all) { mix_in_place(links(), plan, kind == Mixing::lazy, all); }, rows);
}

void LocalNetwork::average_rows(FloatOrDouble<AverageRequest> request) {
  std::visit([](const auto& each) { average_in_place(each); }, request);
}

void LocalNetwork::copy_row(FloatOrDouble<RowCopy> copy) {
  std::visit([](const auto& each) { each.rows[each.to] = each.rows[each.from]; }, copy);
}

void LocalNetwork::mean_of(FloatOrDouble<MeanRequest> request) const {
  std::visit([&](auto mean) { ordered_mean(nodes(), mean); }, request);
}

}  // namespace driftless
