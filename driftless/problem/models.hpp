#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "driftless/problem/model_card.hpp"
#include "driftless/problem/nn/model.hpp"

namespace driftless {

// Networks are trained in float; convex models in double.
using AnyModel =
    std::variant<std::shared_ptr<const Model<float>>, std::shared_ptr<const Model<double>>>;

// The model that a card describes, for data of its shape. Throws ConfigError where such a model
// cannot learn from them.
AnyModel make_model(const ModelCard& card);

// The shape of data without their samples.
Dataset shape_without_samples(const Dataset& data);

}  // namespace driftless
