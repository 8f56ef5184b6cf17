#include "driftless/graph/lanczos.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>

#include "driftless/base/random.hpp"

namespace driftless {

Vector<double> start_vector(Index dimension) {
  Vector<double> start(dimension);
  for (Index i = 0; i < dimension; ++i) {
    start[i] = word({.node = static_cast<NodeId>(i)}, Purpose::graph, 0) * 0x1p-32 - 0.5;
  }
  start.array() -= start.mean();
  return start.normalized();
}

Lanczos::Lanczos(SymmetricOperator product, Index dimension)
    : product_(std::move(product)),
      current_(start_vector(dimension)),
      previous_(Vector<double>::Zero(dimension)),
      next_(dimension) {}

bool Lanczos::run(int max_steps, const Enough& enough) {
  // Operators here have no eigenvalue of interest below 1/3: a smaller remainder is rounding, and
  // the Krylov space holds all that the start can reach.
  constexpr double nothing_left = 1e-13;
  while (std::ssize(diagonal_) < max_steps) {
    const int steps = static_cast<int>(diagonal_.size());
    const int next_check = std::min(max_steps, steps + std::max(4, steps / 4));
    while (std::ssize(diagonal_) < next_check) {
      step();
      if (off_diagonal_.back() <= nothing_left) {
        update_ritz_values();
        lowest_.change = highest_.change = 0;
        return true;
      }
    }
    update_ritz_values();
    if (steps > 0 && enough(lowest_, highest_)) return true;
  }
  return false;
}

void Lanczos::step() {
  product_(current_, next_);
  const double diagonal = current_.dot(next_);
  const double last_off_diagonal = off_diagonal_.empty() ? 0.0 : off_diagonal_.back();
  next_ -= diagonal * current_ + last_off_diagonal * previous_;
  next_.array() -= next_.mean();  // what rounding adds of the all-ones vector would grow
  const double off_diagonal = next_.norm();
  diagonal_.push_back(diagonal);
  off_diagonal_.push_back(off_diagonal);
  std::swap(previous_, current_);
  current_ = next_ / off_diagonal;
}

void Lanczos::update_ritz_values() {
  const auto size = static_cast<Index>(diagonal_.size());
  const Vector<double> diagonal = Vector<double>::Map(diagonal_.data(), size);
  const Vector<double> off_diagonal = Vector<double>::Map(off_diagonal_.data(), size - 1);
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, off_diagonal, Eigen::EigenvaluesOnly);
  const double lowest = solver.eigenvalues()(0);
  const double highest = solver.eigenvalues()(size - 1);
  lowest_ = {lowest, std::abs(lowest - lowest_.value)};
  highest_ = {highest, std::abs(highest - highest_.value)};
}

}  // namespace driftless
