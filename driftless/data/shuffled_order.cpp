#include "driftless/data/shuffled_order.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/base/random.hpp"

namespace driftless {

ShuffledOrder::ShuffledOrder(std::uint32_t count, const Draw& draw) : count_(count), keys_() {
  // On a smaller table eight turns do not reach all orders equally often.
  const std::uint32_t cells = std::max<std::uint32_t>(count, 64);
  rows_ = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(cells)));
  columns_ = (cells - 1) / rows_ + 1;
  for (std::uint32_t turn = 0; turn < turns; ++turn) {
    const auto [a, b, c, d] = words(draw, Purpose::batch, turn);
    keys_[turn] = {.factor = (std::uint64_t{a} << 32) | b | 1,
                   .offset = (std::uint64_t{c} << 32) | d};
  }
}

}  // namespace driftless
