#pragma once

#include <string>
#include <vector>

#include "driftless/data/dataset.hpp"

namespace driftless {

// What is learnt of a sample.
enum class Target { classes, numbers };

// How a file of samples is read.
struct ReadOptions {
  Target target = Target::classes;
  // What has the classes or targets: a column of a CSV file, an array of an .npz file, or for an
  // .npy file another such file. Empty: the format's usual name, where it has one.
  std::string label{};
  std::vector<std::string> ignored{};  // columns of a CSV file that are no features
  std::vector<std::string> classes{};  // all that may occur, in order; empty: those that do occur
  char delimiter = 0;                  // of a CSV file; 0: a comma, or what its first line has
  // The features and classes that must be there, as in a test set those of the training set.
  const Dataset* like = nullptr;
  bool label_may_be_missing = false;  // then labels and targets are empty, as in new samples
  ChooseSamples choose{};             // whose inputs are kept; empty: all
};

}  // namespace driftless
