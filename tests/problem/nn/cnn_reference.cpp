#include "tests/problem/nn/cnn_reference.hpp"

#include <algorithm>
#include <cmath>

namespace driftless::testing::reference {

namespace {

// body(place in out, place in in, place in weights) for every product of a convolution.
template <class Body>
void for_each_product(const Convolution& c, const Body& body) {
  const int out_side = c.side - c.taps + 1;
  for (int o = 0; o < c.out_channels; ++o) {
    for (int y = 0; y < out_side; ++y) {
      for (int x = 0; x < out_side; ++x) {
        for (int i = 0; i < c.in_channels; ++i) {
          for (int dy = 0; dy < c.taps; ++dy) {
            for (int dx = 0; dx < c.taps; ++dx) {
              body((o * out_side + y) * out_side + x, (i * c.side + y + dy) * c.side + x + dx,
                   ((o * c.in_channels + i) * c.taps + dy) * c.taps + dx);
            }
          }
        }
      }
    }
  }
}

int out_plane(const Convolution& c) { return (c.side - c.taps + 1) * (c.side - c.taps + 1); }

}  // namespace

Values convolve(const Convolution& shape, const Values& in, const Values& weights,
                const Values& bias) {
  Values out;
  for (const double b : bias) out.insert(out.end(), out_plane(shape), b);
  for_each_product(shape, [&](int o, int i, int w) { out[o] += in[i] * weights[w]; });
  return out;
}

LinearSlopes convolve_back(const Convolution& shape, const Values& in, const Values& weights,
                           const Values& out_slopes) {
  LinearSlopes slopes{Values(in.size()), Values(weights.size()), Values(shape.out_channels)};
  for_each_product(shape, [&](int o, int i, int w) {
    slopes.in[i] += out_slopes[o] * weights[w];
    slopes.weights[w] += out_slopes[o] * in[i];
  });
  for (std::size_t o = 0; o < out_slopes.size(); ++o) {
    slopes.bias[o / out_plane(shape)] += out_slopes[o];
  }
  return slopes;
}

Pooled pool(int side, const Values& in) {
  Pooled out;
  const int rows = static_cast<int>(in.size()) / side;
  for (int y = 0; y < rows; y += 2) {
    for (int x = 0; x < side; x += 2) {
      const int corner = y * side + x;
      int best = corner;
      for (const int other : {corner + 1, corner + side, corner + side + 1}) {
        if (in[other] > in[best]) best = other;
      }
      out.values.push_back(in[best]);
      out.places.push_back(best);
    }
  }
  return out;
}

Values pool_back(std::size_t inputs, const std::vector<int>& places, const Values& out_slopes) {
  Values slopes(inputs);
  for (std::size_t o = 0; o < places.size(); ++o) slopes[places[o]] += out_slopes[o];
  return slopes;
}

Values relu(const Values& in) {
  Values out;
  for (const double v : in) out.push_back(v > 0 ? v : 0);
  return out;
}

Values relu_back(const Values& in, const Values& out_slopes) {
  Values slopes;
  for (std::size_t k = 0; k < in.size(); ++k) slopes.push_back(in[k] > 0 ? out_slopes[k] : 0);
  return slopes;
}

Values dense(const Values& in, const Values& weights, const Values& bias) {
  Values out = bias;
  for (std::size_t o = 0; o < out.size(); ++o) {
    for (std::size_t i = 0; i < in.size(); ++i) out[o] += weights[o * in.size() + i] * in[i];
  }
  return out;
}

LinearSlopes dense_back(const Values& in, const Values& weights, const Values& out_slopes) {
  LinearSlopes slopes{Values(in.size()), Values(weights.size()), out_slopes};
  for (std::size_t o = 0; o < out_slopes.size(); ++o) {
    for (std::size_t i = 0; i < in.size(); ++i) {
      slopes.in[i] += out_slopes[o] * weights[o * in.size() + i];
      slopes.weights[o * in.size() + i] = out_slopes[o] * in[i];
    }
  }
  return slopes;
}

double cross_entropy(const Values& logits, int label) {
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit - logits[label]);
  return std::log(sum);
}

Values cross_entropy_back(const Values& logits, int label) {
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit);
  Values slopes;
  for (const double logit : logits) slopes.push_back(std::exp(logit) / sum);
  slopes[label] -= 1;
  return slopes;
}

}  // namespace driftless::testing::reference
