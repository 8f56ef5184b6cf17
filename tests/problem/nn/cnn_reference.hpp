#pragma once

#include <vector>

#include "driftless/base/types.hpp"

// The convolutional network once more, for comparison: in double, layer by layer, every number
// computed, nothing vectorised. Each layer is a forward and a backward, which takes the slopes of
// its outputs, ∂loss/∂out, to those of all that went in.
namespace driftless::testing::reference {

using Values = std::vector<double>;

inline Vector<double> vector_of(const Values& values) {
  return Vector<double>::Map(values.data(), std::ssize(values));
}

// out [out_channels][side − taps + 1]² from in [in_channels][side]², with
// weights [out_channels][in_channels][taps]² and one bias for each output channel.
struct Convolution {
  int in_channels = 1;
  int out_channels = 1;
  int side = 1;
  int taps = 1;
};
struct LinearSlopes {
  Values in;
  Values weights;
  Values bias;
};
Values convolve(const Convolution& shape, const Values& in, const Values& weights,
                const Values& bias);
LinearSlopes convolve_back(const Convolution& shape, const Values& in, const Values& weights,
                           const Values& out_slopes);

// The greatest of each 2 × 2 block of in [channels][side]², the first of equal ones in the order of
// rows, and its place in `in`.
struct Pooled {
  Values values;
  std::vector<int> places;
};
Pooled pool(int side, const Values& in);
Values pool_back(std::size_t inputs, const std::vector<int>& places, const Values& out_slopes);

Values relu(const Values& in);
Values relu_back(const Values& in, const Values& out_slopes);

// out [outputs] from in [inputs], with weights [outputs][inputs].
Values dense(const Values& in, const Values& weights, const Values& bias);
LinearSlopes dense_back(const Values& in, const Values& weights, const Values& out_slopes);

double cross_entropy(const Values& logits, int label);
Values cross_entropy_back(const Values& logits, int label);

// The network's tensors, of the flat vector in this order.
struct Parameters {
  explicit Parameters(const Vector<double>& flat);
  Vector<double> flat() const;

  Values weights1, bias1;  // [10][1][5][5]
  Values weights2, bias2;  // [20][10][5][5]
  Values weights3, bias3;  // [50][320]
  Values weights4, bias4;  // [10][50]
};

inline constexpr Convolution convolution1{
    .in_channels = 1, .out_channels = 10, .side = 28, .taps = 5};
inline constexpr Convolution convolution2{
    .in_channels = 10, .out_channels = 20, .side = 12, .taps = 5};

// One sample: image [28][28], and by what dropout multiplies each of 20 channels.
struct Sample {
  Values image;
  int label = 0;
  Values multipliers = Values(20, 1);
};

// What every layer gives.
struct Activations {
  Values maps1;    // [10][24][24]
  Pooled pooled1;  // [10][12][12]
  Values active1;
  Values maps2;    // [20][8][8], dropout included
  Pooled pooled2;  // [20][4][4]
  Values active2;
  Values sums3;  // [50]
  Values active3;
  Values logits;  // [10]
};
void forward1(const Parameters& x, const Values& image, Activations& all);
void forward2(const Parameters& x, const Values& multipliers, Activations& all);
void forward_dense(const Parameters& x, Activations& all);

// From the slopes of a part's outputs to those of its inputs; parameters' slopes go to `g`.
void backward1(const Parameters& x, const Values& image, const Activations& all,
               const Values& active1_slopes, Parameters& g);
Values backward2(const Parameters& x, const Values& multipliers, const Activations& all,
                 const Values& active2_slopes, Parameters& g);
Values backward_dense(const Parameters& x, const Activations& all, const Values& logit_slopes,
                      Parameters& g);

Activations forward(const Parameters& x, const Sample& sample);
double mean_loss(const Vector<double>& x, const std::vector<Sample>& samples);
Vector<double> mean_gradient(const Vector<double>& x, const std::vector<Sample>& samples);

}  // namespace driftless::testing::reference
