#include "driftless/data/labels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "driftless/base/error.hpp"
#include "driftless/data/decimal.hpp"

namespace driftless {
namespace {

// As a message shows what a file holds, which may be anything.
std::string_view beginning(std::string_view text) {
  constexpr std::size_t longest = 40;
  return text.substr(0, longest);
}

}  // namespace

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 10;
  std::string list;
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k) {
    const bool last = k + 1 == names.size();
    list += fmt::format("{}\"{}\"", k == 0 ? "" : last ? " and " : ", ", beginning(names[k]));
  }
  if (names.size() > most) list += fmt::format(" and {} more", names.size() - most);
  return list;
}

LabelGatherer::LabelGatherer(const ReadOptions& options, const Dataset* like, Place place)
    : type_(options.label_type),
      place_(std::move(place)),
      of_training_(like != nullptr),
      closed_(like != nullptr || !options.classes.empty()) {
  for (const std::string& name : like != nullptr ? like->class_names : options.classes) {
    if (!numbers_.try_emplace(name, static_cast<std::int32_t>(classes_.size())).second) {
      throw ConfigError("problem.classes names \"{}\" twice; remove one of them", name);
    }
    classes_.push_back({.name = name});
  }
}

void LabelGatherer::add(std::string_view text, std::int64_t where) {
  count(where);
  if (type_ == LabelType::classes) add_class(text, where);
  if (type_ == LabelType::numbers) add_target(text, where);
}

void LabelGatherer::add(double number, std::int64_t where) {
  if (!std::isfinite(number) && type_ != LabelType::none) {
    throw DataError("{}: found {} as the label, expected a finite number", place_(where), number);
  }
  if (type_ == LabelType::numbers) {
    count(where);
    targets_.push_back(number);
  } else {
    add(fmt::format("{}", number + 0.0), where);  // −0 and 0 are one class
  }
}

void LabelGatherer::count(std::int64_t where) {
  constexpr std::int64_t most_samples = std::numeric_limits<SampleId>::max();
  if (samples_++ == most_samples) {
    throw DataError("{}: more than {} samples", place_(where), most_samples);
  }
}

void LabelGatherer::add_class(std::string_view text, std::int64_t where) {
  const std::int32_t number = number_of(text, where);
  Class& its = classes_[static_cast<std::size_t>(number)];
  if (its.first < 0) its.first = where;
  labels_.push_back(number);
}

// Another spelling of a known class is remembered, so that it is looked for only once.
std::int32_t LabelGatherer::number_of(std::string_view text, std::int64_t where) {
  if (const auto found = numbers_.find(text); found != numbers_.end()) return found->second;
  auto number = static_cast<std::int32_t>(classes_.size());
  if (closed_) {
    const auto value = parse_decimal(text);
    const auto same = std::ranges::find_if(
        classes_, [&](const Class& known) { return value && parse_decimal(known.name) == value; });
    if (same == classes_.end()) refuse_class(text, where);
    number = static_cast<std::int32_t>(same - classes_.begin());
  } else {
    classes_.push_back({.name = std::string(text)});
  }
  numbers_.emplace(text, number);
  return number;
}

void LabelGatherer::add_target(std::string_view text, std::int64_t where) {
  const auto value = parse_decimal(text);
  if (!value) {
    throw DataError(
        "{}: found the label \"{}\", which is not a number; a regression learns numbers; for "
        "classes choose problem.kind = \"logistic\", \"softmax\" or \"mlp\"",
        place_(where), beginning(text));
  }
  targets_.push_back(*value);
}

void LabelGatherer::refuse_class(std::string_view text, std::int64_t where) const {
  std::vector<std::string> names;
  for (const Class& known : classes_) names.push_back(known.name);
  throw DataError(
      "{}: found the label \"{}\", expected one of {}{}; correct it, or add it to problem.classes",
      place_(where), beginning(text), listed(names), of_training_ ? " as in training" : "");
}

// Numbers that hardly repeat, or that are no integers, are measured, not chosen.
void LabelGatherer::refuse_numbers_to_foretell() const {
  constexpr std::size_t many = 30;
  constexpr std::size_t often = 10;
  const Class* first = nullptr;
  for (const Class& one : classes_) {
    const auto value = parse_decimal(one.name);
    if (!value) return;
    const bool whole = *value == std::floor(*value);
    if (!whole && (first == nullptr || one.first < first->first)) first = &one;
  }
  if (first == nullptr && classes_.size() > many && labels_.size() < often * classes_.size()) {
    first = &*std::ranges::min_element(classes_, {}, &Class::first);
  }
  if (first == nullptr) return;
  throw DataError(
      "{}: found the label \"{}\" among {} different ones: these are numbers to foretell, not "
      "classes: choose problem.kind = \"linear\", or list the classes in problem.classes",
      place_(first->first), beginning(first->name), classes_.size());
}

// Numbers the classes anew: they ascend, and those of one value become one.
void LabelGatherer::sort_classes() {
  struct Named {
    Class its;
    std::optional<double> value;
    std::size_t old = 0;
  };
  std::vector<Named> sorted;
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    sorted.push_back({classes_[k], parse_decimal(classes_[k].name), k});
  }
  const bool numeric = std::ranges::all_of(sorted, [](const Named& one) { return !!one.value; });
  std::ranges::stable_sort(sorted, [&](const Named& a, const Named& b) {
    return numeric ? *a.value < *b.value : a.its.name < b.its.name;
  });
  std::vector<std::int32_t> renumbered(sorted.size());
  std::vector<Class> merged;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const bool again = numeric && k > 0 && *sorted[k - 1].value == *sorted[k].value;
    if (!again) merged.push_back(sorted[k].its);
    if (numeric) merged.back().name = fmt::format("{}", *sorted[k].value + 0.0);
    renumbered[sorted[k].old] = static_cast<std::int32_t>(merged.size() - 1);
  }
  for (std::int32_t& label : labels_) label = renumbered[static_cast<std::size_t>(label)];
  classes_ = std::move(merged);
}

void LabelGatherer::hand_over(Dataset& data, Fingerprint inputs) {
  if (type_ == LabelType::classes && !closed_) {
    sort_classes();
    refuse_numbers_to_foretell();
  }
  for (const Class& one : classes_) {
    data.class_names.push_back(one.name);
    data.class_places.push_back(one.first < 0 ? "" : place_(one.first));
  }
  data.labels = std::move(labels_);
  data.targets = std::move(targets_);
  if (type_ == LabelType::none) data.unlabelled = static_cast<SampleId>(samples_);

  inputs.add_number(data.features);
  for (const std::string& name : data.feature_names) inputs.add(name);
  for (const std::string& name : data.class_names) inputs.add(name);
  inputs.add_numbers(data.labels);
  inputs.add_numbers(data.targets);
  data.fingerprint = inputs.value();
}

}  // namespace driftless
