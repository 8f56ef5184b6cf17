#include "driftless/base/version.hpp"

#include <fmt/format.h>

#include <Eigen/Core>

namespace driftless {

std::string version() { return DRIFTLESS_VERSION; }

std::string compiler() {
#ifdef __clang__
  return fmt::format("clang {}", __clang_version__);
#else
  return fmt::format("gcc {}", __VERSION__);
#endif
}

std::string eigen_version() {
  return fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION);
}

}  // namespace driftless
