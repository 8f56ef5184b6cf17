#pragma once

#include <filesystem>
#include <optional>

#include "driftless/data/dataset.hpp"

namespace driftless {

// Text lines `label index:value index:value …`, plain or gzip: indices count from 1 and ascend,
// what is not named is zero, `#` begins a comment. A label is any finite number, and each that
// occurs in training is a class; classes ascend. The test file has no features and no classes
// beyond those of the training file. Where samples are chosen, the training file is read twice: for
// the labels, and for what is kept. A fault is a DataError with its line and field.
LabelledData read_libsvm(const std::filesystem::path& train,
                         const std::optional<std::filesystem::path>& test = {},
                         const ChooseSamples& choose = {});

}  // namespace driftless
