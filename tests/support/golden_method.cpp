#include "tests/support/golden_method.hpp"

#include <map>

namespace driftless::testing {

const GoldenMethod* find_golden_method(const GoldenCase& golden_case) {
  static const std::map<std::string, GoldenMethod> methods{
      {"kgt", {"k-gt"}},
      {"dsgd", {"d-sgd"}},
      {"gt", {"gt"}},
      {"pgt", {"periodical-gt"}},
      {"pgt_full", {"periodical-gt-full"}},
      {"lbgt", {"large-batch-gt"}},
      {"lbdsgd", {"large-batch-d-sgd"}},
      {"scaffold", {"scaffold"}},
      {"gossip_pga", {"gossip-pga"}},
      {"d2", {"d2"}},
      {"fedavg", {"fedavg"}},
      {"ed", {"exact-diffusion"}},
      {"led", {"led"}},
      {"led_lazy", {"led", true}},
  };
  const auto found = methods.find(golden_case.algorithm);
  return found == methods.end() ? nullptr : &found->second;
}

AlgorithmOptions golden_options(const GoldenCase& c) {
  const GoldenMethod* method = find_golden_method(c);
  return {.local_steps = c.local_steps,
          .local_rate = c.local_rate,
          .communication_rate = c.communication_rate,
          .initial_correction =
              c.gradient_start ? InitialCorrection::gradient : InitialCorrection::zero,
          .global_every = c.global_every,
          .lazy = method != nullptr && method->lazy,
          .schedule = {},
          .seed = 1};
}

std::unique_ptr<Algorithm<double>> make_golden_algorithm(const GoldenCase& golden_case,
                                                         const Problem<double>& problem,
                                                         Network& network) {
  return make_algorithm(find_golden_method(golden_case)->kind, problem, network,
                        golden_options(golden_case));
}

}  // namespace driftless::testing
