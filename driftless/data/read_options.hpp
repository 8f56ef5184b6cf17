#pragma once

#include <string>
#include <vector>

namespace driftless {

enum class LabelType {
  classes,  // a sample is of one of several classes
  numbers,  // a sample has a number that is to be foretold
  none,     // labels are not read; a file need not have any
};

// How samples are read from a file, whatever its format.
struct ReadOptions {
  LabelType label_type = LabelType::classes;
  // CSV: the column by its name, which must be given. .npy: the column by its number, from 0; else
  // the last. .npz: the array by its name; else one of the usual names. Other formats have no
  // choice.
  std::string label = {};
  char delimiter = ',';                  // CSV
  std::vector<std::string> ignore = {};  // columns of a CSV that are no features
  // CSV: the columns of the training set are picked by their names, wherever they are, and others
  // are passed over. It is always so where labels are not read.
  bool by_name = false;
  // The classes that there may be, in this order; empty: those that occur, in ascending order.
  std::vector<std::string> classes = {};
};

}  // namespace driftless
