#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "driftless/data/dataset.hpp"

namespace driftless {

// Where fetched data are: $DRIFTLESS_DATA, or else $XDG_CACHE_HOME/driftless, or else
// $HOME/.cache/driftless. Throws ConfigError when none of them is set.
std::filesystem::path data_cache();

// Where MNIST is once it was fetched: `mnist` in the data cache.
std::filesystem::path mnist_folder();

// The files that are read for `data`, which is as below; one that is not there is named too.
std::vector<std::filesystem::path> data_files(const std::string& data);

// `data` is "mnist", which must have been fetched, or a folder of IDX files, or a LIBSVM file.
// `test` is a second LIBSVM file, for a LIBSVM file only. Training inputs that `choose` leaves
// out take no memory.
LabelledData load_data(const std::string& data,
                       const std::optional<std::filesystem::path>& test = {},
                       const ChooseSamples& choose = {});

}  // namespace driftless
