#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "driftless/data/dataset.hpp"
#include "driftless/data/read_options.hpp"

namespace driftless {

// How often each grey occurs. Whole numbers: what is computed of them depends on no order.
using Greys = std::array<std::uint64_t, 256>;
// Gives images the mean and the deviation of these greys, to four decimals.
void normalise(Images& images, const Greys& greys);

// True where the folder holds training images under one of the names below.
bool holds_idx(const std::filesystem::path& folder);

// Those of the files below that the folder holds.
std::vector<std::filesystem::path> idx_files(const std::filesystem::path& folder);

// Images and labels as MNIST, Fashion-MNIST and their relatives are given: the files
//   train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte,
//   t10k-labels-idx1-ubyte
// of a folder, also with "." before "idx" and each plain or as .gz. The test pair may be missing.
//
// Mean and deviation are those of the training pixels, to four decimals (MNIST: 0.1307, 0.3081);
// the deviation of images that are all of one grey is 1. Classes are the labels that occur in
// training. A file that is not what it claims is a DataError with its byte.
LabelledData read_idx_folder(const std::filesystem::path& folder, const ReadOptions& options = {},
                             const ChooseSamples& choose = {});

// The training pair alone. With `like`, which must be of images, size, normalisation and classes
// are those of `like`. Where labels are not read, their file may be missing.
Dataset read_idx_pair(const std::filesystem::path& folder, const ReadOptions& options = {},
                      const Dataset* like = nullptr);

}  // namespace driftless
