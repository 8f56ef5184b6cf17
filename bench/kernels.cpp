#include <benchmark/benchmark.h>

#include <vector>

#include "driftless/base/kernels.hpp"
#include "driftless/base/random.hpp"
#include "driftless/problem/quadratic_kernels.hpp"

// The kernels of a local step and of a mix, by length; d = 50 is the paper's synthetic problem.
namespace driftless {
namespace {

template <class Real>
void add_normals_of(benchmark::State& state) {
  std::vector<Real> out(static_cast<std::size_t>(state.range(0)));
  Draw draw{.seed = 1};
  for (auto _ : state) {
    ++draw.step;
    add_normals(out.data(), state.range(0), 1e-3, draw, Purpose::gradient_noise);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template <class Real>
void descend_of(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  std::vector<Real> y(size, 1), g(size, 2);
  for (auto _ : state) {
    kernel::descend(y.data(), 1e-3, g.data(), state.range(0));
    benchmark::ClobberMemory();
  }
}

template <class Real>
void descend_corrected_of(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  std::vector<Real> y(size, 1), g(size, 2), c(size, -1);
  for (auto _ : state) {
    kernel::descend(y.data(), 1e-3, g.data(), c.data(), state.range(0));
    benchmark::ClobberMemory();
  }
}

template <class Real>
void scale_minus_of(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  std::vector<Real> out(size), x(size, 1), q(size, 2);
  for (auto _ : state) {
    kernel::scale_minus(out.data(), 3, x.data(), q.data(), state.range(0));
    benchmark::ClobberMemory();
  }
}

template <class Real>
void sum_in_order_of(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  std::vector<Real> sum(size), row(size, 1);
  for (auto _ : state) {
    kernel::sum_in_order(sum.data(), row.data(), state.range(0));
    benchmark::ClobberMemory();
  }
}

template <class Real>
void weighted_sum_of(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const auto count = static_cast<std::size_t>(state.range(1));
  std::vector<Real> out(size), data(size * count, 1), weights(count, Real(1) / Real(count));
  std::vector<const Real*> rows;
  for (std::size_t i = 0; i < count; ++i) rows.push_back(data.data() + i * size);
  for (auto _ : state) {
    kernel::weighted_sum(out.data(), rows.data(), weights.data(), state.range(1), state.range(0));
    benchmark::ClobberMemory();
  }
}

BENCHMARK(add_normals_of<double>)->Arg(10)->Arg(50)->Arg(64)->Arg(1000)->Arg(100000);
BENCHMARK(add_normals_of<float>)->Arg(50)->Arg(1000);
BENCHMARK(descend_of<double>)->Arg(50)->Arg(1000);
BENCHMARK(descend_of<float>)->Arg(50)->Arg(1000);
BENCHMARK(descend_corrected_of<double>)->Arg(50)->Arg(1000);
BENCHMARK(descend_corrected_of<float>)->Arg(50)->Arg(1000);
BENCHMARK(scale_minus_of<double>)->Arg(50)->Arg(1000);
BENCHMARK(sum_in_order_of<double>)->Arg(50)->Arg(1000);
BENCHMARK(weighted_sum_of<double>)->ArgsProduct({{50, 1000}, {1, 3, 5}});
BENCHMARK(weighted_sum_of<float>)->ArgsProduct({{50, 1000}, {3}});

}  // namespace
}  // namespace driftless

BENCHMARK_MAIN();
