#pragma once

// The network of the paper: conv(1, 10, 5) – max-pool 2 – ReLU – conv(10, 20, 5) – dropout of whole
// channels – max-pool 2 – ReLU – dense(320, 50) – ReLU – dense(50, 10).
namespace driftless::cnn {

inline constexpr int image_side = 28;
inline constexpr int taps = 5;  // a kernel is taps × taps
inline constexpr int kernel = taps * taps;

inline constexpr int channels1 = 10;
inline constexpr int side1 = image_side - taps + 1;  // 24
inline constexpr int pooled1 = side1 / 2;            // 12

inline constexpr int channels2 = 20;
inline constexpr int side2 = pooled1 - taps + 1;  // 8
inline constexpr int pooled2 = side2 / 2;         // 4

inline constexpr int features = channels2 * pooled2 * pooled2;  // 320
inline constexpr int hidden = 50;
inline constexpr int classes = 10;

// Where each tensor begins in the flat vector of parameters, in PyTorch's order and layout.
inline constexpr int weights1 = 0;                                       // [10][1][5][5]
inline constexpr int bias1 = weights1 + channels1 * kernel;              // [10]
inline constexpr int weights2 = bias1 + channels1;                       // [20][10][5][5]
inline constexpr int bias2 = weights2 + channels2 * channels1 * kernel;  // [20]
inline constexpr int weights3 = bias2 + channels2;                       // [50][320]
inline constexpr int bias3 = weights3 + hidden * features;               // [50]
inline constexpr int weights4 = bias3 + hidden;                          // [10][50]
inline constexpr int bias4 = weights4 + classes * hidden;                // [10]
inline constexpr int parameters = bias4 + classes;
static_assert(parameters == 21'840);

}  // namespace driftless::cnn
