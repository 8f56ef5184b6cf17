// A trace, a W file and a config in, nodes.npy out: the golden trajectories of networks that drop,
// delay, pause, crash and compress, as a user meets them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "driftless/base/file.hpp"
#include "tests/program/program.hpp"

namespace driftless::testing {
namespace {

using nlohmann::json;

const json& golden_network() {
  static const json all = json::parse(read_file(DRIFTLESS_TEST_DATA "/network.json"));
  return all;
}

std::string matrix_file(const json& W) {
  std::string text = fmt::format("%%MatrixMarket matrix array real general\n{0} {0}\n", W.size());
  for (const json& row : W) {
    for (const json& weight : row) text += fmt::format("{}\n", weight.get<double>());
  }
  return text;
}

std::string trace_file(const json& events) {
  std::string text = "round,event,node,peer,value\n";
  for (const json& event : events) {
    const auto name = event[1].get<std::string>();
    const bool has_peer = name.starts_with("link") || name == "late";
    const bool has_value = name == "late" || name == "steps";
    text += fmt::format("{},{},{},{},{}\n", event[0].get<int>(), name, event[2].get<int>(),
                        has_peer ? event[3].dump() : "", has_value ? event[4].dump() : "");
  }
  return text;
}

std::string config_file(const json& c) {
  const auto kind = c["algorithm"].get<std::string>();
  std::string text = fmt::format(
      "[problem]\nfile = 'problem.json'\nnoise = 0\n[network]\nfile = 'w.mtx'\n"
      "[run]\nrounds = {}\n[algorithm]\nkind = '{}'\nlocal_steps = {}\nlocal_rate = {}\n",
      c["rounds"].get<int>(), kind, kind == "gt" ? 1 : c["local_steps"].get<int>(),
      c["eta_c"].get<double>());
  if (kind != "led") text += fmt::format("communication_rate = {}\n", c["eta_s"].get<double>());
  if (kind == "gt") text += "initial_correction = 'zero'\n";
  if (!c["events"].empty()) text += "[faults]\ntrace = 'trace.csv'\n";
  if (!c["keep"].is_null()) {
    text += fmt::format("[compression]\ncodec = 'top_k'\nkeep = {}\nrate = {}\n",
                        c["keep"].get<double>() / golden_network()["dim"].get<double>(),
                        c["rate"].get<double>());
  }
  return text;
}

void write_files(const TemporaryFolder& folder, const json& c) {
  const json& all = golden_network();
  folder.write("problem.json", json{{"A", all["A"]}, {"b", all["b"]}, {"x0", all["x0"]}}.dump());
  folder.write("w.mtx", matrix_file(c["W"]));
  folder.write("trace.csv", trace_file(c["events"]));
  folder.write("golden.toml", config_file(c));
}

// Of "k-gt/late/lazy ring": "late".
std::string condition_of(const json& c) {
  const auto name = c["case"].get<std::string>();
  const std::size_t first = name.find('/') + 1;
  return name.substr(first, name.find('/', first) - first);
}

std::vector<std::string> conditions() {
  std::set<std::string> names;
  for (const json& c : golden_network()["cases"]) names.insert(condition_of(c));
  return {names.begin(), names.end()};
}

bool is_refused(const json& c) { return c["algorithm"] == "led" && !c["keep"].is_null(); }

class GoldenNetworkProgram : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenNetworkProgram, EndsAtTheGoldenModels) {
  int cases = 0;
  for (const json& c : golden_network()["cases"]) {
    if (condition_of(c) != GetParam() || is_refused(c)) continue;
    SCOPED_TRACE(c["case"]);
    ++cases;
    const TemporaryFolder folder;
    write_files(folder, c);
    const Finished run = run_program({"run", "golden.toml", "--out", "out"}, folder.path());
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const Eigen::MatrixXd nodes = read_npy(folder / "out/nodes.npy");
    const json& expected = c["X"].back();
    ASSERT_EQ(nodes.rows(), std::ssize(expected));
    for (Index i = 0; i < nodes.rows(); ++i) {
      for (Index k = 0; k < nodes.cols(); ++k) {
        EXPECT_NEAR(nodes(i, k), expected[i][k].get<double>(), 1e-10) << "node " << i;
      }
    }
  }
  EXPECT_GE(cases, 4);
}

INSTANTIATE_TEST_SUITE_P(Conditions, GoldenNetworkProgram, ::testing::ValuesIn(conditions()),
                         [](const auto& tested) { return tested.param; });

TEST(GoldenNetworkProgramCases, AreAllButThoseThatAMethodDoesNotBear) {
  int run = 0;
  for (const json& c : golden_network()["cases"]) {
    if (!is_refused(c)) {
      ++run;
      continue;
    }
    const TemporaryFolder folder;
    write_files(folder, c);
    const Finished refused = run_program({"run", "golden.toml", "--out", "out"}, folder.path());
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("led sums up what letters leave out"), std::string::npos)
        << refused.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  }
  EXPECT_EQ(run, 74);
}

}  // namespace
}  // namespace driftless::testing
