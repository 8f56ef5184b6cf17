#pragma once

#include <functional>

#include "driftless/base/function_ref.hpp"
#include "driftless/base/types.hpp"

namespace driftless {

struct MinimiseOptions {
  // How many past steps tell the curvature. Where they outnumber the dimensions, hundreds of
  // iterations do what takes thousands with 20. Where they would take more than 256 MiB, fewer are
  // kept, but 20.
  int memory = 300;
  double tolerance = 1e-12;  // of ‖g‖, as a share of max(1, ‖g‖ at the start)
  int most_iterations = 10'000;
  std::function<void(int iteration, double gradient_norm)> progress{};  // called if there is one
};

struct Minimum {
  Vector<double> point{};
  double value = 0;
  double gradient_norm = 0;
  int iterations = 0;
  bool converged = false;  // the gradient is within the tolerance
};

// The minimum of a smooth convex function by L-BFGS (Nocedal & Wright, Numerical Optimization,
// chapter 7). f(x, g) returns the value at x and sets g to the gradient there.
//
// Near a minimum, values stop changing when the gradient still has half of its digits. The line
// search therefore goes by slopes there (Hager & Zhang, SIAM J. Optim. 16, 2005), and the search
// ends where rounding lets neither value nor gradient fall. Returned is the point of the least
// gradient that was met. The same function and start give the same bits.
Minimum minimise(FunctionRef<double(const Vector<double>& x, Vector<double>& g)> f,
                 Vector<double> start, const MinimiseOptions& options = {});

}  // namespace driftless
