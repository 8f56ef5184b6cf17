#include "driftless/record/model_file.hpp"

#include "driftless/base/error.hpp"
#include "driftless/base/parse_json.hpp"
#include "driftless/base/regular_file.hpp"

namespace driftless {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// Throws json's exception where a value has another type.
ModelCard card_in(const json& told) {
  ModelCard card{.kind = told.at("kind"),
                 .hidden = told.at("hidden"),
                 .intercept = told.at("intercept"),
                 .label = told.at("label"),
                 .shape = {.features = told.at("features"),
                           .feature_names = told.at("feature_names"),
                           .class_names = told.at("classes")}};
  if (const auto images = told.find("images"); images != told.end()) {
    card.shape.inputs = Images{.rows = images->at("rows"),
                               .columns = images->at("columns"),
                               .mean = images->at("mean"),
                               .deviation = images->at("deviation")};
  } else if (told.at("sparse")) {
    card.shape.inputs = SparseRows{};
  } else {
    card.shape.inputs = DenseRows{};
  }
  if (const auto by = told.find("standardised"); by != told.end()) {
    card.standardised = {.mean = by->at("mean"), .deviation = by->at("deviation")};
  }
  return card;
}

bool is_sound(const ModelCard& card) {
  constexpr Index most = 1'000'000'000;
  const auto features = static_cast<std::size_t>(card.shape.features);
  const auto fits = [&](std::size_t size) { return size == features; };
  const Images* images = card.shape.images();
  return card.shape.features > 0 && card.shape.features <= most &&
         (card.shape.feature_names.empty() || fits(card.shape.feature_names.size())) &&
         (images == nullptr || (images->rows > 0 && images->columns > 0 &&
                                fits(static_cast<std::size_t>(images->rows) *
                                     static_cast<std::size_t>(images->columns)))) &&
         (!card.standardised ||
          (fits(card.standardised->mean.size()) && fits(card.standardised->deviation.size())));
}

}  // namespace

std::string model_json(const ModelCard& card) {
  ordered_json told;
  told["kind"] = card.kind;
  told["hidden"] = card.hidden;
  told["intercept"] = card.intercept;
  told["label"] = card.label;
  told["features"] = card.shape.features;
  told["feature_names"] = card.shape.feature_names;
  told["classes"] = card.shape.class_names;
  told["sparse"] = std::holds_alternative<SparseRows>(card.shape.inputs);
  if (const Images* images = card.shape.images()) {
    told["images"] = {{"rows", images->rows},
                      {"columns", images->columns},
                      {"mean", images->mean},
                      {"deviation", images->deviation}};
  }
  if (card.standardised) {
    told["standardised"] = {{"mean", card.standardised->mean},
                            {"deviation", card.standardised->deviation}};
  }
  return json_text(told);
}

ModelCard read_model_card(const std::filesystem::path& file) {
  constexpr std::uint64_t longest = 256'000'000;
  const json told = parse_json(read_file(file, longest), file.string());
  try {
    ModelCard card = card_in(told);
    if (is_sound(card)) return card;
  } catch (const json::exception&) {
    // Told below.
  }
  throw DataError("{}: is not as a run writes it; do the run again", file.string());
}

}  // namespace driftless
