#include "driftless/problem/models.hpp"

#include "driftless/problem/nn/cnn.hpp"
#include "driftless/problem/nn/linear.hpp"
#include "driftless/problem/nn/logistic.hpp"
#include "driftless/problem/nn/softmax.hpp"

namespace driftless {

AnyModel make_model(const ModelCard& card) {
  const Dataset& data = card.shape;
  if (card.kind == "cnn") return std::make_shared<const Cnn>(data);
  if (card.kind == "mlp") return std::make_shared<const Mlp<float>>(data, card.hidden);
  if (card.kind == "softmax") return std::make_shared<const Softmax<double>>(data);
  if (card.kind == "linear") return std::make_shared<const Linear<double>>(data, card.intercept);
  return std::make_shared<const Logistic<double>>(data, card.intercept);
}

Dataset shape_without_samples(const Dataset& data) {
  Dataset shape{.features = data.features,
                .feature_names = data.feature_names,
                .class_names = data.class_names};
  if (const Images* images = data.images()) {
    shape.inputs = Images{.rows = images->rows,
                          .columns = images->columns,
                          .mean = images->mean,
                          .deviation = images->deviation};
  } else if (std::holds_alternative<DenseRows>(data.inputs)) {
    shape.inputs = DenseRows{};
  } else {
    shape.inputs = SparseRows{};
  }
  return shape;
}

}  // namespace driftless
