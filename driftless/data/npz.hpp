#pragma once

#include <filesystem>

#include "driftless/data/dataset.hpp"
#include "driftless/data/read_options.hpp"

namespace driftless {

// Arrays as numpy.savez and savez_compressed save them: features of two dimensions under one of the
// names X, x, features and data, and a label for each row under the name options.label, or else
// under one of y, labels, label, target and targets. With `like`, the training set, the features
// and the classes are the same; where no labels are read, they may be missing.
Dataset read_npz(const std::filesystem::path& path, const ReadOptions& options = {},
                 const Dataset* like = nullptr);

}  // namespace driftless
