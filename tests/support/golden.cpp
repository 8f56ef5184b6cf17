#include "tests/support/golden.hpp"

#include <cmath>
#include <fstream>

#include "tests/support/json_matrix.hpp"

namespace driftless::testing {

namespace {

using nlohmann::json;

const std::map<std::string, std::string, std::less<>> kinds{
    {"kgt", "k-gt"},
    {"dsgd", "d-sgd"},
    {"gt", "gt"},
    {"pgt", "periodical-gt"},
    {"pgt_full", "periodical-gt-full"},
    {"lbgt", "large-batch-gt"},
    {"lbdsgd", "large-batch-d-sgd"},
    {"scaffold", "scaffold"},
    {"gossip_pga", "gossip-pga"},
    {"d2", "d2"},
    {"fedavg", "fedavg"},
    {"ed", "exact-diffusion"},
    {"led", "led"},
    {"led_lazy", "led"},
};

GoldenCase to_case(const json& source) {
  GoldenCase c;
  c.name = source["name"];
  c.algorithm = source["algorithm"];
  if (const auto kind = kinds.find(c.algorithm); kind != kinds.end()) c.kind = kind->second;
  c.lazy = c.algorithm == "led_lazy";
  c.problem = source["problem"];
  c.mixing = source["mixing"];
  c.gradient_start = source["init"] == "theory";
  c.noisy = source["noisy"];
  c.distinct_starts = source["x0"] == "distinct";
  c.local_steps = source["K"];
  c.local_rate = source["eta_c"];
  c.communication_rate = source["eta_s"];
  c.rounds = source["rounds"];
  c.global_every = source.value("H", 10);
  for (const json& x : source["X"]) c.X.push_back(to_matrix(x));
  for (const json& m : source["metrics"]) c.metrics.push_back({m["gap"], m["gn2"], m["cons"]});
  for (const char* name : {"C", "Z", "G", "ci", "Y"}) {
    const std::string key = std::string("final_") + name;
    if (source.contains(key)) c.final_rows[name] = to_matrix(source[key]);
  }
  return c;
}

Golden load() {
  std::ifstream stream(DRIFTLESS_TEST_DATA "/golden.json");
  const json root = json::parse(stream);
  Golden g;
  for (const json& source : root["cases"]) g.cases.push_back(to_case(source));
  for (const json& round : root["noise"]) {
    auto& steps = g.noise.emplace_back();
    for (const json& step : round) steps.push_back(to_matrix(step));
  }
  const auto n = root["n"].get<std::size_t>();
  const auto d = root["d"].get<Index>();
  LeastSquaresData& given = g.problems["main"];
  LeastSquaresData& synthetic = g.problems["synthetic"];
  for (std::size_t i = 0; i < n; ++i) {
    given.A.emplace_back(to_matrix(root["A"][i]));
    given.b.push_back(to_vector(root["b"][i]));
    synthetic.A.emplace_back(root["problems"]["synthetic"]["a"][i].get<double>() *
                             Eigen::MatrixXd::Identity(d, d));
    synthetic.b.push_back(given.b.back());
    g.distinct_starts.push_back(to_vector(root["x0_distinct"][i]));
  }
  g.common_start.push_back(to_vector(root["x0"]));
  g.mixings["ring"] = to_matrix(root["W_ring"]);
  for (const auto& [name, mixing] : root["mixing"].items()) {
    g.mixings[name] = to_matrix(mixing["W"]);
  }
  for (const auto& [name, problem] : root["problems"].items()) {
    g.optima[name] = {to_vector(problem["x_star"]), problem["f_star"]};
  }
  return g;
}

}  // namespace

const Golden& golden() {
  static const Golden loaded = load();
  return loaded;
}

LeastSquaresData Golden::problem(const GoldenCase& golden_case) const {
  LeastSquaresData data = problems.at(golden_case.problem);
  data.x0 = golden_case.distinct_starts ? distinct_starts : common_start;
  return data;
}

MixingMatrix Golden::mixing(const GoldenCase& golden_case) const {
  return MixingMatrix::from_dense(mixings.at(golden_case.mixing));
}

GoldenProblem::GoldenProblem(const GoldenCase& golden_case)
    : noisy_(golden_case.noisy),
      exact_(make_least_squares<double>(golden().problem(golden_case), 0.0)) {}

void GoldenProblem::gradient(NodeId i, const ConstVectorView<double>& x, const Draw& draw,
                             VectorView<double> g) const {
  exact_->full_gradient(i, x, draw, g);
  if (noisy_) {
    g += golden()
             .noise[static_cast<std::size_t>(draw.round)][static_cast<std::size_t>(draw.step)]
             .row(i)
             .transpose();
  }
}

}  // namespace driftless::testing
