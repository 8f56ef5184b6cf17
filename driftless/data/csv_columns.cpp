#include "driftless/data/csv_columns.hpp"

#include <algorithm>
#include <map>

#include "driftless/base/error.hpp"
#include "driftless/base/text.hpp"
#include "driftless/data/decimal.hpp"
#include "driftless/data/labels.hpp"

namespace driftless {
namespace {

class ColumnChooser {
 public:
  ColumnChooser(const std::vector<std::string_view>& header, const ReadOptions& options,
                const std::string& place)
      : options_(options), place_(place) {
    for (const std::string_view field : header) names_.emplace_back(trimmed(field));
    check_header();
    for (std::size_t k = 0; k < names_.size(); ++k) {
      if (names_[k].empty()) {
        throw DataError("{}: column {} has no name; give it one, or leave the column out", place_,
                        k + 1);
      }
      if (!columns_.emplace(names_[k], k).second) {
        throw DataError("{}: two columns are named \"{}\"; rename or remove one of them", place_,
                        names_[k]);
      }
    }
  }

  CsvColumns choose(const Dataset* like) {
    CsvColumns chosen;
    if (options_.label_type != LabelType::none) chosen.label = label_column();
    const bool named = like != nullptr && !like->feature_names.empty();
    if (named && (options_.by_name || options_.label_type == LabelType::none)) {
      chosen.features = columns_of(like->feature_names);
    } else {
      chosen.features = all_features(like != nullptr);
      if (named) compare(chosen.features, like->feature_names);
    }
    if (chosen.features.empty()) {
      throw DataError("{}: no column is left to learn from; its columns are {}{}", place_,
                      listed(names_), other_delimiter());
    }
    if (like != nullptr && std::ssize(chosen.features) != like->features) {
      throw DataError("{}: found {} features, expected {} as in training", place_,
                      chosen.features.size(), like->features);
    }
    chosen.names = std::move(names_);
    return chosen;
  }

 private:
  void check_header() const {
    const auto is_number = [](const std::string& name) { return !!parse_decimal(name); };
    if (!std::ranges::all_of(names_, is_number)) return;
    throw DataError(
        "{}: every field is a number, expected the names of the columns; add a line of names above "
        "it{}",
        place_, other_delimiter());
  }

  std::optional<std::size_t> find(std::string_view name) const {
    const auto found = columns_.find(name);
    return found == columns_.end() ? std::nullopt : std::optional(found->second);
  }

  [[noreturn]] void refuse_name(std::string_view what, std::string_view name) const {
    const std::vector<std::string_view> candidates = views_of(names_);
    throw DataError("{}: {} \"{}\" is not there; the columns are {}{}{}", place_, what, name,
                    listed(names_), did_you_mean(nearest_names(name, candidates)),
                    other_delimiter());
  }

  std::size_t label_column() const {
    if (options_.label.empty()) {
      throw DataError(
          "{}: this is CSV; name the column to learn with label = \"...\"; its columns are {}{}",
          place_, listed(names_), other_delimiter());
    }
    const auto column = find(options_.label);
    if (!column) refuse_name("the label column", options_.label);
    return *column;
  }

  // All columns but the label and those to ignore. A table beside a training set need not have the
  // latter.
  std::vector<std::size_t> all_features(bool beside_training) const {
    std::vector<bool> taken(names_.size());
    if (const auto label = find(options_.label)) taken[*label] = true;
    for (const std::string& name : options_.ignore) {
      const auto column = find(name);
      if (!column && !beside_training) refuse_name("the column to ignore", name);
      if (column) taken[*column] = true;
    }
    std::vector<std::size_t> features;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      if (!taken[k]) features.push_back(k);
    }
    return features;
  }

  std::vector<std::size_t> columns_of(const std::vector<std::string>& wanted) const {
    std::vector<std::size_t> columns;
    for (const std::string& name : wanted) {
      const auto column = find(name);
      if (!column) refuse_name("the column", name);
      columns.push_back(*column);
    }
    return columns;
  }

  // Tells of the first feature that is not as in training.
  void compare(const std::vector<std::size_t>& found,
               const std::vector<std::string>& wanted) const {
    for (std::size_t k = 0; k < std::max(found.size(), wanted.size()); ++k) {
      if (k < found.size() && k < wanted.size() && names_[found[k]] == wanted[k]) continue;
      if (k < wanted.size() && !find(wanted[k])) {
        throw DataError("{}: the column \"{}\" of training is missing; add it", place_, wanted[k]);
      }
      const bool known =
          k < found.size() && std::ranges::find(wanted, names_[found[k]]) != wanted.end();
      if (k < found.size() && !known) {
        throw DataError("{}: the column \"{}\" is not in training; remove or ignore it", place_,
                        names_[found[k]]);
      }
      const std::string& name = known ? names_[found[k]] : wanted[k];
      throw DataError("{}: the column \"{}\" is at another place than in training; reorder them",
                      place_, name);
    }
  }

  // A header of one name that holds another delimiter was not cut where its author meant.
  std::string other_delimiter() const {
    if (names_.size() != 1) return "";
    const std::size_t found = names_[0].find_first_of(",;\t| ");
    if (found == std::string::npos) return "";
    const char other = names_[0][found];
    return fmt::format("; if columns are separated by another character, say delimiter = \"{}\"",
                       other == '\t' ? "\\t" : std::string(1, other));
  }

  const ReadOptions& options_;
  const std::string& place_;
  std::vector<std::string> names_;
  std::map<std::string_view, std::size_t> columns_;
};

}  // namespace

CsvColumns csv_columns(const std::vector<std::string_view>& header, const ReadOptions& options,
                       const Dataset* like, const std::string& place) {
  return ColumnChooser(header, options, place).choose(like);
}

}  // namespace driftless
