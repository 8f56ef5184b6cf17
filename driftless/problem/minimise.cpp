#include "driftless/problem/minimise.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

namespace driftless {
namespace {

using SmoothFunction = FunctionRef<double(const Vector<double>& x, Vector<double>& g)>;

struct Place {
  Vector<double> x;
  Vector<double> g;
  double value = 0;
};

// The last steps and how the gradient changed over each: what L-BFGS knows of the curvature.
class Curvature {
 public:
  // Keeps so many steps; where they would take more than 256 MiB, fewer, but 20.
  Curvature(int memory, Index dim) : memory_(static_cast<std::size_t>(memory)) {
    const auto bytes_a_pair =
        2 * sizeof(double) * static_cast<std::size_t>(std::max<Index>(1, dim));
    memory_ = std::min(memory_, std::max<std::size_t>(20, (256U << 20) / bytes_a_pair));
  }

  bool empty() const { return pairs_.empty(); }
  void forget() { pairs_.clear(); }

  void learn(const Place& from, const Place& to) {
    Pair pair{to.x - from.x, to.g - from.g, 0};
    pair.product = pair.step.dot(pair.change);
    // Below that, the product is rounding, and its sign is chance.
    constexpr double rounding = std::numeric_limits<double>::epsilon();
    if (!(pair.product > rounding * pair.step.norm() * pair.change.norm())) return;
    pairs_.push_back(std::move(pair));
    if (pairs_.size() > memory_) pairs_.pop_front();
  }

  // −H g with the inverse H of the Hessian as the pairs tell it, by the two loops of L-BFGS.
  Vector<double> direction(const Vector<double>& g) const {
    Vector<double> d = -g;
    std::vector<double> shares(pairs_.size());
    for (std::size_t k = pairs_.size(); k-- > 0;) {
      shares[k] = pairs_[k].step.dot(d) / pairs_[k].product;
      d -= shares[k] * pairs_[k].change;
    }
    if (!pairs_.empty()) d *= pairs_.back().product / pairs_.back().change.squaredNorm();
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      d += (shares[k] - pairs_[k].change.dot(d) / pairs_[k].product) * pairs_[k].step;
    }
    return d;
  }

 private:
  struct Pair {
    Vector<double> step;
    Vector<double> change;
    double product;  // of the two
  };

  std::size_t memory_;
  std::deque<Pair> pairs_;  // the oldest first
};

// A length of a step and the slope there, along the direction.
struct Trial {
  double length;
  double slope;
};

// Where the line through two slopes is zero; the secant. It may be anything where the slopes say
// nothing.
double zero_between(const Trial& a, const Trial& b) {
  return a.length - a.slope * (b.length - a.length) / (b.slope - a.slope);
}

// Sets `to` to a place along the direction where the value has fallen enough for the length and the
// slope has flattened: the strong Wolfe conditions. Differences of values below `noise` are
// rounding and count as none; there slopes alone decide. Returns false where no such place is
// found.
bool search_line(SmoothFunction f, const Place& from, const Vector<double>& direction,
                 double length, double noise, Place& to) {
  constexpr int most_trials = 60;
  constexpr double enough = 1e-4;
  constexpr double flat = 0.5;
  const double slope = from.g.dot(direction);
  Trial near{0, slope};
  Trial far{std::numeric_limits<double>::infinity(), 0};
  for (int k = 0; k < most_trials; ++k) {
    to.x = from.x + length * direction;
    to.value = f(to.x, to.g);
    const Trial here{length, to.g.dot(direction)};
    const bool fallen = to.value <= from.value + enough * length * slope + noise;
    if (fallen && std::abs(here.slope) <= -flat * slope) return true;
    if (fallen && here.slope < 0) {
      length = zero_between(near, here);
      near = here;
    } else {
      far = here;
      length = zero_between(near, here);
    }
    if (std::isinf(far.length)) {
      if (!(length > near.length)) length = 10 * near.length;
      length = std::clamp(length, 2 * near.length, 10 * near.length);
    } else if (k % 2 == 1 || !(length > near.length && length < far.length)) {
      length = near.length + (far.length - near.length) / 2;  // halves at least every other time
    }
  }
  return false;
}

}  // namespace

Minimum minimise(SmoothFunction f, Vector<double> start, const MinimiseOptions& options) {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  constexpr double sum_rounding = 1e-10;  // of a value that is a sum over many samples
  constexpr int patience = 300;           // iterations in which neither value nor gradient falls
  Place here{std::move(start), {}, 0};
  here.g.resize(here.x.size());
  here.value = f(here.x, here.g);
  Place next = here;
  Minimum best{here.x, here.value, here.g.norm()};
  const double target = options.tolerance * std::max(1.0, best.gradient_norm);
  const double first_value = std::abs(here.value);
  double lowest = here.value;
  Curvature curvature(options.memory, here.x.size());
  int done = 0;
  for (int idle = 0; !(best.gradient_norm <= target) && idle < patience;) {
    if (done == options.most_iterations) break;
    Vector<double> direction = curvature.direction(here.g);
    if (!(direction.dot(here.g) < 0)) {
      curvature.forget();
      direction = -here.g;
    }
    const double length = curvature.empty() ? 1 / std::max(1.0, here.g.norm()) : 1;
    const double noise = sum_rounding * std::max(first_value, std::abs(here.value));
    if (!search_line(f, here, direction, length, noise, next)) {
      if (curvature.empty()) break;
      curvature.forget();
      continue;
    }
    curvature.learn(here, next);
    std::swap(here, next);
    ++done;
    ++idle;
    const double norm = here.g.norm();
    if (here.value < lowest - rounding * std::abs(lowest)) {
      lowest = here.value;
      idle = 0;
    }
    if (norm < best.gradient_norm) {
      best = {here.x, here.value, norm};
      idle = 0;
    }
    if (options.progress) options.progress(done, norm);
  }
  best.iterations = done;
  best.converged = best.gradient_norm <= target;
  return best;
}

}  // namespace driftless
