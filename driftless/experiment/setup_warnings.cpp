#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "driftless/algorithm/registry.hpp"
#include "driftless/experiment/setup.hpp"
#include "driftless/graph/weights.hpp"

// What a user should know before trusting the runs.
namespace driftless {
namespace {

// Whether the method mixes with no negative eigenvalues. Methods that sum up what letters leave out
// take (I + W)/2 where they have no option of it.
bool mixes_lazily(const AlgorithmKind& kind, const ExperimentConfig& config,
                  const PreparedNetwork& prepared) {
  const auto lazy = config.algorithm.options.find("lazy");
  if (lazy != config.algorithm.options.end() && std::get<bool>(lazy->second)) return true;
  if (kind.faithful_letters && !kind.has("lazy")) return true;
  if (prepared.spectrum) return prepared.spectrum->lambda_min >= 0;
  return is_lazy(from_name<Weights>("weights", config.network.weights));
}

// Such methods diverge with plain weights on sequences that average within a period.
std::string warning_of_changing_links(const AlgorithmKind& kind, const PreparedNetwork& prepared,
                                      bool lazy) {
  if (lazy || !kind.faithful_letters || !prepared.sequence) return "";
  if (prepared.sequence->period() <= 1) return "";
  return fmt::format(
      "{} may diverge where links change and weights are plain; set algorithm.lazy = true",
      kind.name);
}

// The shares were found by trial, on rings and exponential graphs.
std::string warning_of_late_letters(const AlgorithmKind& kind, const FaultOptions& faults,
                                    bool lazy) {
  const std::string what = fmt::format("faults.late = {}", faults.late);
  if (kind.faithful_letters) {
    if (faults.late <= (lazy ? 0.3 : 0.2)) return "";
    return fmt::format(
        "{}: {} sums up what letters leave out, and may diverge where more than {} of them are "
        "late; {}k-gt and gt bear half",
        what, kind.name, lazy ? 0.3 : 0.2, lazy ? "" : "algorithm.lazy = true bears 0.3, ");
  }
  if (faults.late <= 0.5) return "";
  if (!lazy) {
    return fmt::format(
        "{}: where most letters are late, methods may diverge with plain weights; "
        "network.weights = \"lazy_metropolis\" bears it",
        what);
  }
  if (faults.late_rounds <= 3) return "";
  return fmt::format(
      "{}: where most letters are late, methods may diverge unless faults.late_rounds is small: "
      "they bear 3",
      what);
}

}  // namespace

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
  if (config.faults.drop == 1 && prepared.nodes() > 1) {
    add_warning(
        "faults.drop = 1: every link is down in every round: the nodes cannot agree on a model");
  }
  const AlgorithmKind* kind = find_algorithm_kind(config.algorithm.kind);
  if (kind == nullptr) return;
  warn_of_rounded_letters(config);
  const bool lazy = mixes_lazily(*kind, config, prepared);
  add_warning(warning_of_changing_links(*kind, prepared, lazy));
  add_warning(warning_of_late_letters(*kind, config.faults, lazy));
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
