#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/data/dataset.hpp"
#include "driftless/data/read_options.hpp"

namespace driftless {

// An array as numpy saves it, of one or two dimensions.
struct NpyArray {
  std::vector<std::uint64_t> shape{};
  std::vector<double> numbers{};     // row by row
  std::vector<std::string> texts{};  // instead, where it is an array of texts

  std::uint64_t rows() const { return shape[0]; }
  std::uint64_t columns() const { return shape.size() < 2 ? 1 : shape[1]; }
};

// The array that the bytes of a .npy file are: floats of 4 or 8 bytes, integers of 1 to 8, booleans
// or texts ('<U'), little endian, in either order. Throws DataError that begins with `name`.
NpyArray parse_npy(std::string_view bytes, const std::string& name);

// The first number that is not finite is a DataError with its row and column, from 0.
void check_finite(const NpyArray& features, const std::string& name);

// A table of numbers, plain or gzip. The column options.label, or else the last, is what is to be
// learnt; all others are features. With `like`, the training set, the features and the classes are
// the same; where no labels are read, the column of labels may be missing.
Dataset read_npy(const std::filesystem::path& path, const ReadOptions& options = {},
                 const Dataset* like = nullptr);

}  // namespace driftless
