#include "driftless/data/site_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "driftless/base/error.hpp"
#include "driftless/base/fingerprint.hpp"

namespace driftless {
namespace {

using nlohmann::json;

std::string kind_of_inputs(const Dataset& data) {
  if (const Images* images = data.images()) {
    return fmt::format("images of {} x {}", images->rows, images->columns);
  }
  return std::holds_alternative<SparseRows>(data.inputs) ? "sparse rows" : "a table";
}

std::string hash_of(std::string_view text) {
  Fingerprint hash;
  hash.add(text);
  return fmt::format("{:016x}", hash.value());
}

// The two whole numbers that all targets are; empty: there are others.
std::vector<double> few_values(const std::vector<double>& targets) {
  std::set<double> found;
  for (const double target : targets) {
    found.insert(target);
    if (found.size() > 2 || target != std::floor(target)) return {};
  }
  return {found.begin(), found.end()};
}

// Names are texts of users, in whatever encoding.
std::string text_of(const json& told) {
  return told.dump(-1, ' ', false, json::error_handler_t::replace);
}

// A site's folders are its own business.
std::vector<std::string> without_folders(std::vector<std::string> places) {
  for (std::string& place : places) place.erase(0, place.rfind('/') + 1);
  return places;
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  std::ranges::transform(names, std::back_inserter(quoted), text_of);
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

// Those of the first that the second does not have.
std::vector<std::string> beyond(std::vector<std::string> first, std::vector<std::string> second) {
  std::ranges::sort(first);
  std::ranges::sort(second);
  std::vector<std::string> more;
  std::ranges::set_difference(first, second, std::back_inserter(more));
  return more;
}

std::string all_classes(const std::vector<SiteShape>& all) {
  std::vector<std::string> names;
  for (const SiteShape& shape : all) {
    for (const std::string& each : beyond(shape.classes, names)) names.push_back(each);
  }
  std::ranges::sort(names);
  return fmt::format("problem.classes = {}", quoted_list(names));
}

void throw_if_classes_differ(const std::vector<SiteShape>& all, std::size_t node,
                             const std::function<std::string(std::size_t)>& name) {
  const SiteShape& first = all.front();
  const SiteShape& other = all[node];
  if (other.classes == first.classes) return;
  const std::vector<std::string> added = beyond(other.classes, first.classes);
  if (!added.empty()) {
    const auto at = std::ranges::find(other.classes, added.front()) - other.classes.begin();
    const auto place = static_cast<std::size_t>(at);
    throw DataError(
        "{}: the class \"{}\" is new: {} has {}; correct it, or name all classes that there are: "
        "{}",
        place < other.places.size() ? other.places[place] : name(node), added.front(), name(0),
        quoted_list(first.classes), all_classes(all));
  }
  throw DataError(
      "{}: has no sample of the class \"{}\", which {} has; if that is right, name all classes "
      "that "
      "there are: {}",
      name(node), beyond(first.classes, other.classes).front(), name(0), all_classes(all));
}

// Numbers of which there are two are classes.
void throw_if_targets_are_classes(const std::vector<SiteShape>& all,
                                  const std::string& first_name) {
  std::set<double> values;
  for (const SiteShape& shape : all) {
    if (!shape.classes.empty() || shape.values.empty()) return;
    values.insert(shape.values.begin(), shape.values.end());
  }
  if (values.size() > 2) return;
  throw DataError(
      "{}: what is to be learnt is always {}: these are classes; choose problem.kind = "
      "\"logistic\" or \"softmax\"",
      first_name, fmt::join(values, " or "));
}

}  // namespace

SiteShape shape_of(const Dataset& data) {
  // The features of sparse rows are as many as the sample with most has; sites may differ there.
  const bool sparse = std::holds_alternative<SparseRows>(data.inputs);
  return {.inputs = kind_of_inputs(data),
          .columns = hash_of(fmt::format("{} {}", sparse ? 0 : data.features, column_hashes(data))),
          .features = data.features,
          .classes = data.class_names,
          .places = without_folders(data.class_places),
          .values = few_values(data.targets)};
}

std::vector<SiteShape> gather_shapes(const std::vector<SiteShape>& own,
                                     const Processes& processes) {
  json told = json::array();
  for (const SiteShape& shape : own) {
    told.push_back(
        {shape.inputs, shape.columns, shape.features, shape.classes, shape.places, shape.values});
  }
  std::vector<SiteShape> all;
  for (const std::string& text : processes.gather(text_of(told))) {
    for (const json& shape : json::parse(text)) {
      all.push_back({shape[0], shape[1], shape[2], shape[3], shape[4], shape[5]});
    }
  }
  return all;
}

void throw_if_different(const std::vector<SiteShape>& all,
                        const std::function<std::string(std::size_t)>& name) {
  const SiteShape& first = all.front();
  for (std::size_t node = 1; node < all.size(); ++node) {
    if (all[node].inputs != first.inputs) {
      throw DataError("{}: holds {}, but {} holds {}; all sites must have the same", name(node),
                      all[node].inputs, name(0), first.inputs);
    }
    throw_if_classes_differ(all, node, name);
  }
  throw_if_targets_are_classes(all, name(0));
}

std::string column_hashes(const Dataset& data) {
  std::string text;
  for (const std::string& name : data.feature_names) text += hash_of(name) + ' ';
  return text;
}

std::string column_difference(const Dataset& data, const std::string& file,
                              const std::string& first_hashes, const std::string& first_file) {
  constexpr std::string_view remedy =
      "give all sites the same columns in the same order; problem.ignore leaves columns out";
  std::istringstream words(first_hashes);
  const std::vector<std::string> first{std::istream_iterator<std::string>(words), {}};
  if (first.empty() || data.feature_names.empty()) {
    return fmt::format("{}: has {} features{}, unlike {}; {}", file, data.features,
                       data.feature_names.empty() ? " without names" : "", first_file, remedy);
  }
  std::vector<std::string> own;
  for (const std::string& name : data.feature_names) own.push_back(hash_of(name));
  const auto place_in = [](const std::vector<std::string>& hashes, const std::string& hash) {
    return static_cast<std::size_t>(std::ranges::find(hashes, hash) - hashes.begin());
  };
  for (std::size_t k = 0; k < first.size(); ++k) {
    if (place_in(own, first[k]) < own.size()) continue;
    const std::size_t before = k == 0 ? own.size() : place_in(own, first[k - 1]);
    const std::string where = before < own.size()
                                  ? fmt::format("after \"{}\"", data.feature_names[before])
                                  : fmt::format("as feature {}", k + 1);
    return fmt::format("{}:1: lacks the column that {} has {}; {}", file, first_file, where,
                       remedy);
  }
  for (std::size_t k = 0; k < own.size(); ++k) {
    if (place_in(first, own[k]) < first.size()) continue;
    return fmt::format("{}:1: has a column \"{}\" that {} does not have; {}", file,
                       data.feature_names[k], first_file, remedy);
  }
  std::size_t k = 0;
  while (k + 1 < own.size() && own[k] == first[k]) ++k;
  return fmt::format("{}:1: feature {} is \"{}\", which is feature {} in {}; {}", file, k + 1,
                     data.feature_names[k], place_in(first, own[k]) + 1, first_file, remedy);
}

}  // namespace driftless
