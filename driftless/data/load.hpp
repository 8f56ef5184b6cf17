#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "driftless/data/dataset.hpp"
#include "driftless/data/read_options.hpp"

namespace driftless {

// Where fetched data are: $DRIFTLESS_DATA, or else $XDG_CACHE_HOME/driftless, or else
// $HOME/.cache/driftless. Throws ConfigError when none of them is set.
std::filesystem::path data_cache();

// Where MNIST is once it was fetched: `mnist` in the data cache.
std::filesystem::path mnist_folder();

// The files that are read for `data`, which is as below; one that is not there is named too.
std::vector<std::filesystem::path> data_files(const std::string& data);

// The samples of a file in any of the formats (format.hpp), or the training pair of a folder of IDX
// files. With `like`, the training set, they have its features and its classes.
Dataset read_dataset(const std::filesystem::path& file, const ReadOptions& options = {},
                     const Dataset* like = nullptr);

// `data` is "mnist", which must have been fetched, or a folder of IDX files, or a file in one of
// the other formats. `test` is a second file, which a folder has not. Training inputs that `choose`
// leaves out take no memory once the data are loaded.
LabelledData load_data(const std::string& data,
                       const std::optional<std::filesystem::path>& test = {},
                       const ChooseSamples& choose = {}, const ReadOptions& options = {});

}  // namespace driftless
