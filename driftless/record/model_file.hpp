#pragma once

#include <filesystem>
#include <string>

#include "driftless/problem/model_card.hpp"

namespace driftless {

// model.json: what makes the parameters of model.npy a model again. Throws DataError where the file
// is not as a run writes it.
std::string model_json(const ModelCard& card);
ModelCard read_model_card(const std::filesystem::path& file);

}  // namespace driftless
