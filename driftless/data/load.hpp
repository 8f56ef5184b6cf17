#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "driftless/data/dataset.hpp"

namespace driftless {

// "mnist", which was fetched before; or a folder of IDX files; or a LIBSVM file, with or without
// another for the test, which only a LIBSVM file may have. Memory is taken for what is kept alone.
LabelledData load_data(const std::string& data,
                       const std::optional<std::filesystem::path>& test = {},
                       const ChooseSamples& choose = {});

}  // namespace driftless
