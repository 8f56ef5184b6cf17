#include "driftless/data/dirichlet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "driftless/base/error.hpp"
#include "driftless/base/random.hpp"

namespace driftless {

namespace {

// An alpha beyond these makes the logarithms of proportions overflow.
constexpr double smallest_alpha = 1e-300;
constexpr double largest_alpha = 1e300;

double standard_normal(const Draw& draw, std::uint64_t index) {
  const double radius = std::sqrt(-2 * std::log(uniform(draw, Purpose::split, index)));
  return radius * std::cos(2 * std::numbers::pi * uniform(draw, Purpose::split, index + 1));
}

double log_gamma_variable(double alpha, const Draw& draw) {
  // Gamma(alpha) is Gamma(alpha + 1) times U^(1 / alpha), which also serves a small alpha.
  double log_factor = 0;
  if (alpha < 1) {
    log_factor = std::log(uniform(draw, Purpose::split, 0)) / alpha;
    alpha += 1;
  }
  const double d = alpha - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (std::uint64_t index = 1;; index += 3) {
    const double x = standard_normal(draw, index);
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    const double u = uniform(draw, Purpose::split, index + 2);
    if (std::log(u) < x * x / 2 + d * (1 - v + std::log(v))) {
      return std::log(d) + std::log(v) + log_factor;
    }
  }
}

}  // namespace

std::vector<double> dirichlet(double alpha, NodeId count, const Draw& draw) {
  if (!(alpha >= smallest_alpha && alpha <= largest_alpha)) {
    throw ConfigError(fmt::format("alpha = {}: expected a number above 0, from {} to {}", alpha,
                                  smallest_alpha, largest_alpha));
  }
  std::vector<double> shares;
  for (NodeId i = 0; i < count; ++i) {
    Draw mine = draw;
    mine.node = i;
    shares.push_back(log_gamma_variable(alpha, mine));
  }
  const double largest = *std::ranges::max_element(shares);
  for (double& share : shares) share = std::exp(share - largest);
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

}  // namespace driftless
