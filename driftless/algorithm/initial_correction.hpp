#pragma once

#include <string>

#include "driftless/base/option.hpp"

namespace driftless {

// Of methods that correct gradients. The theory asks for c_i⁰ = mean_j g_j − g_i, which costs one
// global average; zero serves as well after some rounds.
struct InitialCorrection {
  std::string initial_correction = "zero";

  bool from_gradients() const { return initial_correction == "gradient"; }

  static void describe(OptionsOf<InitialCorrection>& options) {
    options
        .add("initial_correction", &InitialCorrection::initial_correction,
             "zero, or from the first gradients for one more global round")
        .one_of({"zero", "gradient"});
  }
};

}  // namespace driftless
