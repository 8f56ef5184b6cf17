#pragma once

#include <fmt/format.h>

#include <string>

#include "driftless/base/random.hpp"
#include "tests/support/data_files.hpp"

namespace driftless::testing {

// Images of side × side in so many classes: each class has its own bright bar, all have noise. A
// model can learn them in a few steps.
inline std::string bar_images(std::uint32_t samples, std::uint32_t classes, std::uint32_t side,
                              std::uint64_t seed) {
  std::string pixels;
  for (std::uint32_t s = 0; s < samples; ++s) {
    for (std::uint32_t k = 0; k < side * side; ++k) {
      const std::uint64_t index = std::uint64_t{s} * side * side + k;
      const double noise = uniform(Draw{.seed = seed}, Purpose::problem_data, index);
      const bool bright = k / side * classes / side == s % classes;
      pixels += static_cast<char>(static_cast<unsigned char>(80 * noise + (bright ? 150 : 0)));
    }
  }
  return idx(images_magic, {samples, side, side}, pixels);
}

inline std::string bar_labels(std::uint32_t samples, std::uint32_t classes) {
  std::string labels;
  for (std::uint32_t s = 0; s < samples; ++s) labels += static_cast<char>(s % classes);
  return idx(labels_magic, {samples}, labels);
}

// A folder of IDX files: sample s has the class s mod classes.
inline void write_bars(const TemporaryFolder& folder, std::uint32_t samples,
                       std::uint32_t classes = 10, std::uint32_t side = 28,
                       const std::string& name = "bars") {
  const std::uint32_t tests = 2 * classes;
  folder.write(name + "/train-images-idx3-ubyte", bar_images(samples, classes, side, 1));
  folder.write(name + "/train-labels-idx1-ubyte", bar_labels(samples, classes));
  folder.write(name + "/t10k-images-idx3-ubyte", bar_images(tests, classes, side, 2));
  folder.write(name + "/t10k-labels-idx1-ubyte", bar_labels(tests, classes));
}

// A LIBSVM file "points.svm" of two classes, -1 and 1, whose second feature tells them apart but
// for noise; the first is always 1.
inline void write_points(const TemporaryFolder& folder, int samples) {
  std::string text;
  for (int s = 0; s < samples; ++s) {
    const int sign = s % 2 == 0 ? 1 : -1;
    text += std::to_string(sign) + " 1:1";
    for (int j = 2; j <= 6; ++j) {
      const double noise =
          uniform(Draw{.seed = 3, .node = j}, Purpose::problem_data, static_cast<std::uint64_t>(s));
      text += fmt::format(" {}:{:.6f}", j, noise - 0.5 + (j == 2 ? 0.3 * sign : 0));
    }
    text += "\n";
  }
  folder.write("points.svm", text);
}

}  // namespace driftless::testing
