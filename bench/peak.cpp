#include "bench/measure.hpp"

#include "driftless/base/simd_targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/peak.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace driftless::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The multiply-adds it made.
double multiply_adds(float& sink) {
  constexpr int independent = 12;  // enough to hide the latency
  constexpr int turns = 400'000;
  const hn::ScalableTag<float> tag;
  hn::Vec<decltype(tag)> sum[independent];
  for (auto& each : sum) each = hn::Set(tag, sink);
  const auto factor = hn::Set(tag, 0.999F);
  for (int turn = 0; turn < turns; ++turn) {
    for (auto& each : sum) each = hn::MulAdd(each, factor, factor);
  }
  for (int k = 1; k < independent; ++k) sum[0] = hn::Add(sum[0], sum[k]);
  sink = hn::GetLane(sum[0]);
  return static_cast<double>(hn::Lanes(tag)) * independent * turns;
}

}  // namespace driftless::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace driftless::bench {

HWY_EXPORT(multiply_adds);

double peak_multiply_adds() {
  volatile float kept = 1e-3F;
  std::vector<double> rates;
  for (int k = 0; k < 21; ++k) {
    float sink = kept;
    double count = 0;
    const double time = seconds([&] { count = HWY_DYNAMIC_DISPATCH(multiply_adds)(sink); });
    kept = sink;
    rates.push_back(count / time);
  }
  return median(rates);
}

}  // namespace driftless::bench
#endif
