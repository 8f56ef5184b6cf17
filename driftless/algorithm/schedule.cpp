#include "driftless/algorithm/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace driftless {
namespace {
constexpr double least = 1e-30;  // many drops would underflow
}  // namespace

double Schedule::operator()(Round t) const {
  if (t < warmup_rounds) return static_cast<double>(t + 1) / static_cast<double>(warmup_rounds + 1);
  const auto since = static_cast<double>(t - warmup_rounds);
  switch (kind) {
    case Kind::constant:
      return 1.0;
    case Kind::step:
      return std::max(std::pow(factor, std::floor(since / static_cast<double>(every))), least);
    case Kind::cosine: {
      const auto length = static_cast<double>(std::max<Round>(1, rounds - warmup_rounds));
      const double wave = 0.5 * (1.0 + std::cos(std::numbers::pi * std::min(since / length, 1.0)));
      return floor + (1.0 - floor) * wave;
    }
    case Kind::inverse_sqrt:
      return 1.0 / std::sqrt(1.0 + since / scale);
  }
  return 1.0;
}

}  // namespace driftless
