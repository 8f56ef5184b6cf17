#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/base/fingerprint.hpp"
#include "driftless/data/dataset.hpp"
#include "driftless/data/read_options.hpp"

namespace driftless {

// Gathers what is to be learnt of samples, one sample after the other, the same way for all
// formats. Labels that are all numbers are classes by their value, so that 1 and 1.0 are one class;
// classes ascend, as numbers or else as texts. With `like`, the training set, or with
// options.classes there are no other classes than these.
class LabelGatherer {
 public:
  // Tells where a number of the caller's is, be it a line, a row or a byte: "file:17".
  using Place = std::function<std::string(std::int64_t)>;

  LabelGatherer(const ReadOptions& options, const Dataset* like, Place place);

  // The label of the next sample. Throws DataError where it is none that there may be.
  void add(std::string_view text, std::int64_t where);
  void add(double number, std::int64_t where);
  // Whether this is one of the classes that were given.
  bool knows(std::string_view text) const { return closed_ && numbers_.contains(text); }

  // Gives the samples their labels, or targets, and a fingerprint of these, of all names, and of
  // the inputs. Throws DataError where the labels are no classes, or more than a dataset holds.
  void hand_over(Dataset& data, Fingerprint inputs);

 private:
  struct Class {
    std::string name;
    std::int64_t first = -1;  // where it first occurs; −1: nowhere
  };

  void add_class(std::string_view text, std::int64_t where);
  void add_target(std::string_view text, std::int64_t where);
  void count(std::int64_t where);
  std::int32_t number_of(std::string_view text, std::int64_t where);
  void refuse_numbers_to_foretell() const;
  void sort_classes();
  [[noreturn]] void refuse_class(std::string_view text, std::int64_t where) const;

  LabelType type_;
  Place place_;
  bool of_training_;  // the classes are those of the training set
  bool closed_;       // there are no other classes
  std::map<std::string, std::int32_t, std::less<>> numbers_;  // of the texts of labels
  std::vector<Class> classes_;
  std::vector<std::int32_t> labels_;
  std::vector<double> targets_;
  std::int64_t samples_ = 0;
};

// "a", "b" and "c", or the first ten of them and how many more there are.
std::string listed(const std::vector<std::string>& names);

}  // namespace driftless
