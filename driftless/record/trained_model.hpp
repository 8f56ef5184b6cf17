#pragma once

#include <filesystem>
#include <optional>

#include "driftless/base/types.hpp"
#include "driftless/problem/model_card.hpp"

namespace driftless {

// What a run left for use on new samples.
struct TrainedModel {
  ModelCard card;
  Vector<double> parameters;
};

// The average model of the run in a folder, or the model of one of its nodes. Throws DataError
// where the folder holds no run that has ended and learnt from samples, and where its files are not
// as the run wrote them.
TrainedModel read_trained_model(const std::filesystem::path& run, std::optional<NodeId> node = {});

// What it says of samples, rows of `outputs` numbers: a probability for each class, or one number.
struct Predictions {
  Index outputs = 1;
  std::vector<double> values{};
};
// `data` have the shape of the card, not standardised; they are standardised here where the model
// was trained so.
Predictions predict(const TrainedModel& model, Dataset data);

}  // namespace driftless
