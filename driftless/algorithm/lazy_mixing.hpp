#pragma once

#include <fmt/format.h>

#include "driftless/algorithm/registry.hpp"

namespace driftless {

// Of methods that need λ_min(W) > −1/3: (I + W)/2 always has it.
struct LazyMixing {
  bool lazy = false;

  Mixing mixing() const { return lazy ? Mixing::lazy : Mixing::plain; }

  static void describe(OptionsOf<LazyMixing>& options) {
    options.add("lazy", &LazyMixing::lazy, "mix with (I + W)/2");
  }

  static std::string warning(const AlgorithmKind& kind, const Spectrum& spectrum,
                             const AlgorithmOptions& options) {
    const bool wide = spectrum.lambda_min >= -1.0 / 3 - 1e-9;
    if (wide || options_of<LazyMixing>().read(options.own).lazy) return "";
    return fmt::format(
        "{} needs eigenvalues of W above -1/3, but the smallest is {:.4g} (p = {:.4g}): it is "
        "likely to diverge; set algorithm.lazy = true",
        kind.name, spectrum.lambda_min, spectrum.p);
  }
};

}  // namespace driftless
