#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "driftless/algorithm/registry.hpp"
#include "driftless/experiment/setup.hpp"
#include "driftless/graph/weights.hpp"

// What a user should know before trusting the runs.
namespace driftless {

void Setup::warn(const ExperimentConfig& config) {
  warn_of_network(config);
  const AlgorithmKind* kind = find_algorithm_kind(config.algorithm.kind);
  const std::optional<Spectrum>& spectrum = network(config).spectrum;
  if (kind == nullptr || !kind->warning || !spectrum) return;
  add_warning(kind->warning(*kind, *spectrum, algorithm_options(config)));
}

void Setup::warn_of_network(const ExperimentConfig& config) {
  const PreparedNetwork& prepared = network(config);
  if (prepared.sequence) {
    if (const std::optional<NodeId> node = never_reached(*prepared.sequence)) {
      add_warning(fmt::format(
          "no links of any round lead from node 0 to node {}: they cannot agree on a model",
          *node));
    }
  }
  warn_of_rounded_letters(config);
  if (config.faults.drop == 1 && prepared.nodes() > 1) {
    add_warning(
        "faults.drop = 1: every link is down in every round: the nodes cannot agree on a model");
  }
  if (config.faults.late > 0.5 && !is_lazy(from_name<Weights>("weights", config.network.weights))) {
    add_warning(
        fmt::format("faults.late = {}: where most letters are late, methods may diverge with plain "
                    "weights; network.weights = \"lazy_metropolis\" bears it",
                    config.faults.late));
  }
}

// Methods that sum up what letters leave out turn it over where W has negative eigenvalues.
void Setup::warn_of_rounded_letters(const ExperimentConfig& config) {
  const AlgorithmKind* kind = find_algorithm_kind(config.algorithm.kind);
  const std::optional<Spectrum>& spectrum = network(config).spectrum;
  if (config.compression.codec == "none" || kind == nullptr || !kind->faithful_letters) return;
  const auto lazy = config.algorithm.options.find("lazy");
  const bool may_be_lazy = lazy != config.algorithm.options.end();
  if (!may_be_lazy || std::get<bool>(lazy->second) || !spectrum || spectrum->lambda_min >= 0)
    return;
  add_warning(fmt::format(
      "{} with packed letters needs eigenvalues of W above 0, but the smallest is {:.4g}: it may "
      "diverge; set algorithm.lazy = true",
      kind->name, spectrum->lambda_min));
}

void Setup::add_warning(std::string warning) {
  if (warning.empty() || std::ranges::count(warnings_, warning) > 0) return;
  warnings_.push_back(std::move(warning));
}

void Setup::warn_of_tuning(const ExperimentPlan& plan) {
  if (!plan.tuning) return;
  const std::string& metric = *plan.tuning->config.metric;
  const bool by_test_data =
      metric.starts_with("test_") || metric.find("node_") != std::string::npos;
  if (!by_test_data) return;
  warnings_.push_back(
      fmt::format("tune.metric = \"{}\" chooses by the test data, whose figures then look better "
                  "than on new data; set problem.validation = 0.1 and leave tune.metric out",
                  metric));
}

}  // namespace driftless
