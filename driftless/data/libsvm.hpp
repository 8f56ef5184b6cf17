#pragma once

#include <filesystem>

#include "driftless/data/dataset.hpp"
#include "driftless/data/read_options.hpp"

namespace driftless {

// Text lines `label index:value index:value …`, plain or gzip: indices count from 1 and ascend,
// what is not named is zero, `#` begins a comment. A label is any finite number; where labels are
// not read, a line may have none. With `like`, the training set, there are no features and no
// classes beyond its own. Where samples are chosen, the file is read twice: for the labels, and for
// what is kept. A fault is a DataError with its line and field.
Dataset read_libsvm(const std::filesystem::path& path, const ReadOptions& options = {},
                    const Dataset* like = nullptr, const ChooseSamples& choose = {});

}  // namespace driftless
