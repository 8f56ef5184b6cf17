// Trajectories with compressed letters, of an independent implementation
// (tests/golden/codec_trajectories.json) on the problem of golden.json.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/golden_algorithm.hpp"
#include "tests/support/json_matrix.hpp"
#include "tests/support/trial.hpp"

namespace driftless::testing {
namespace {

struct CodecCase {
  GoldenCase method;
  std::shared_ptr<const Codec<double>> codec;
  double rate = 1;
};

// [round][row][node], where the library draws: the numbers that rand_k keeps, and what qsgd adds
// before it rounds down.
struct Tables {
  std::vector<std::vector<std::vector<std::vector<Index>>>> kept;
  std::vector<std::vector<std::vector<std::vector<double>>>> dither;
};

// Letters are Q(v) itself. Q may look at the draw, whose step is the row.
class CodecOf final : public Codec<double> {
 public:
  using Quantise = std::function<Vector<double>(const Vector<double>&, const Draw&)>;
  explicit CodecOf(Quantise quantise) : quantise_(std::move(quantise)) {}

  Bytes bytes(Index d) const override { return static_cast<Bytes>(d) * sizeof(double); }
  void encode(const double* v, Index d, const Draw& draw, std::byte* out) const override {
    const Vector<double> said = quantise_(Eigen::Map<const Vector<double>>(v, d), draw);
    std::memcpy(out, said.data(), bytes(d));
  }
  void add_decoded(const std::byte* in, Index d, const Draw&, double* to) const override {
    Vector<double> said(d);
    std::memcpy(said.data(), in, bytes(d));
    Eigen::Map<Vector<double>>(to, d) += said;
  }

 private:
  Quantise quantise_;
};

template <class Table>
const auto& told_for(const Draw& draw, const Table& table) {
  return table[static_cast<std::size_t>(draw.round)][static_cast<std::size_t>(draw.step)]
              [static_cast<std::size_t>(draw.node)];
}

std::shared_ptr<const Codec<double>> make_tabled_rand_k(const Tables& tables) {
  return std::make_shared<CodecOf>([&](const Vector<double>& v, const Draw& draw) {
    Vector<double> q = Vector<double>::Zero(v.size());
    for (const Index j : told_for(draw, tables.kept)) q[j] = v[j];
    return q;
  });
}

std::shared_ptr<const Codec<double>> make_tabled_qsgd(const Tables& tables, int levels,
                                                      bool scaled) {
  return std::make_shared<CodecOf>(
      [&tables, levels, scaled](const Vector<double>& v, const Draw& draw) {
        const double norm = v.norm();
        if (norm == 0) return v;
        const double tau = scaled ? 1 + qsgd_variance(levels, v.size()) : 1;
        Vector<double> q(v.size());
        for (Index j = 0; j < v.size(); ++j) {
          const double u = told_for(draw, tables.dither)[static_cast<std::size_t>(j)];
          const double level = std::floor(levels * std::abs(v[j]) / norm + u);
          q[j] = std::copysign(level * norm / (levels * tau), v[j]);
        }
        return q;
      });
}

std::shared_ptr<const Codec<double>> to_codec(const nlohmann::json& source, const Tables& tables) {
  const std::string kind = source["kind"];
  if (kind == "rand_k") return make_tabled_rand_k(tables);
  if (kind == "qsgd") return make_tabled_qsgd(tables, source["levels"], source["scaled"]);
  CompressionOptions options{.codec = kind};
  if (kind == "int") {
    options.codec += std::to_string(source["bits"].get<int>());
    options.block = source["block"];
  }
  if (kind == "top_k") options.keep = source["k"].get<double>() / 3;  // of d = 3
  return make_codec<double>(options);
}

CodecCase to_codec_case(const nlohmann::json& source, const Tables& tables) {
  const std::map<std::string, std::string> kinds{
      {"kgt", "k-gt"}, {"dsgd", "d-sgd"}, {"gt", "gt"}, {"led", "led"}};
  GoldenCase method{.name = source["name"],
                    .algorithm = source["algorithm"],
                    .problem = source["problem"],
                    .mixing = source["mixing"],
                    .kind = kinds.at(source["algorithm"]),
                    .noisy = source["noisy"],
                    .distinct_starts = source["x0"] == "distinct",
                    .local_steps = source["K"],
                    .local_rate = source["eta_c"],
                    .communication_rate = source["eta_s"],
                    .rounds = source["rounds"],
                    .X = {},
                    .metrics = {},
                    .final_rows = {}};
  for (const auto& x : source["X"]) method.X.push_back(to_matrix(x));
  for (const char* name : {"C", "Z", "G", "Y"}) {
    const std::string key = std::string("final_") + name;
    if (source.contains(key)) method.final_rows[name] = to_matrix(source[key]);
  }
  return {std::move(method), to_codec(source["codec"], tables), source["gamma"]};
}

const std::vector<CodecCase>& codec_cases() {
  static Tables tables;
  static const std::vector<CodecCase> loaded = [] {
    std::ifstream stream(DRIFTLESS_TEST_DATA "/codec_trajectories.json");
    const auto root = nlohmann::json::parse(stream);
    root["kept"].get_to(tables.kept);
    root["dither"].get_to(tables.dither);
    std::vector<CodecCase> cases;
    for (const auto& source : root["cases"]) cases.push_back(to_codec_case(source, tables));
    return cases;
  }();
  return loaded;
}

class GoldenCodecTrajectory : public ::testing::TestWithParam<std::size_t> {};

TEST_P(GoldenCodecTrajectory, IsFollowed) {
  const auto& [method, codec, rate] = codec_cases()[GetParam()];
  const GoldenProblem problem(method);
  LocalNetwork network(Conditions{.links = make_fixed(golden().mixing(method)),
                                  .codecs = {nullptr, codec},
                                  .codec_rate = rate});
  const auto algorithm = make_golden_algorithm(method, problem, network);
  algorithm->start(starting_models(problem, network));
  EXPECT_EQ(dense(algorithm->models()), method.X[0]);
  for (Round t = 0; t < method.rounds; ++t) {
    algorithm->advance(t);
    ASSERT_LT(difference(method.X[static_cast<std::size_t>(t + 1)], dense(algorithm->models())),
              1e-10)
        << method.name << " leaves the golden path in round " << t;
  }
  const std::map<std::string_view, std::string> names{
      {"c", "C"}, {"z", "Z"}, {"g", "G"}, {"y", "Y"}};
  for (const auto& [name, rows] : algorithm->state()) {
    if (name == "x") continue;
    EXPECT_LT(difference(method.final_rows.at(names.at(name)), dense(*rows)), 1e-10) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenCodecTrajectory,
                         ::testing::Range<std::size_t>(0, codec_cases().size()),
                         [](const auto& tested) {
                           std::string name = codec_cases()[tested.param].method.name;
                           for (char& letter : name) {
                             if (std::isalnum(static_cast<unsigned char>(letter)) == 0)
                               letter = '_';
                           }
                           return name;
                         });

}  // namespace
}  // namespace driftless::testing
