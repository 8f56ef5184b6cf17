#pragma once

#include <filesystem>

namespace driftless {

// Where fetched data are: $DRIFTLESS_DATA, or else $XDG_CACHE_HOME/driftless, or else
// $HOME/.cache/driftless. Throws ConfigError when none of them is set.
std::filesystem::path data_cache();

// Where MNIST is once it was fetched: `mnist` in the data cache.
std::filesystem::path mnist_folder();

}  // namespace driftless
