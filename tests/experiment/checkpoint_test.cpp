#include "driftless/experiment/checkpoint.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>

#include "driftless/base/error.hpp"
#include "driftless/base/version.hpp"
#include "driftless/experiment/run.hpp"
#include "tests/support/recording_problem.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/trial.hpp"

namespace driftless::testing {
namespace {

namespace fs = std::filesystem;

constexpr Round half = 5;
constexpr Round all = 12;

// Saves the run into a file, and notes its rows as they stand in metrics.csv, without the time.
class Saver final : public RunObserver {
 public:
  explicit Saver(SavePlace place = {}) : place_(std::move(place)) {}

  void evaluated(const Metrics& row) override {
    std::string& line = rows.emplace_back();
    for (const MetricColumn& column : metric_columns()) {
      if (column.name != "seconds") line += column.text(row) + ",";
    }
  }
  SavePlace saving(const RunPosition& at) override {
    return at.round == half ? place_ : SavePlace();
  }

  std::vector<std::string> rows;

 private:
  SavePlace place_;
};

template <class Real>
class Part {
 public:
  Part(const AlgorithmKind& kind, const Instance& instance)
      : problem_(make_least_squares<Real>(instance.data(), instance.noise)),
        drift_(*problem_),
        network_(instance.mixing()) {
    AlgorithmOptions options = instance.options();
    // Rates that change with every round: what a method keeps of the one before shows.
    options.schedule = {.kind = Schedule::Kind::inverse_sqrt, .scale = 4};
    algorithm_ = make_fitting<Real>(kind.name, drift_, network_, options);
  }

  void run(Saver& saver, const Checkpoint* from) {
    driftless::run<Real>(
        *algorithm_, *problem_, network_,
        {.rounds = all, .evaluate_every = 1, .save_every_rounds = half, .from = from},
        {.observers = {&saver}, .drift = &drift_});
  }
  Eigen::MatrixXd models() const { return dense(algorithm_->models()); }

 private:
  std::unique_ptr<Problem<Real>> problem_;
  DriftMeter<Real> drift_;
  LocalNetwork network_;
  std::unique_ptr<Algorithm<Real>> algorithm_;
};

class EveryMethod : public ::testing::TestWithParam<std::size_t> {
 protected:
  const AlgorithmKind& kind() const { return algorithm_kinds()[GetParam()]; }
  Instance instance() const {
    return {.nodes = 6,
            .dim = 4,
            .rows = 5,
            .local_steps = kind().local_steps ? 3 : 1,
            .communication_rate = kind().communication_rate ? 0.8 : 1.0,
            .noise = 1.0,
            .distinct_starts = kind().name != "scaffold",
            .gradient_start = kind().has("initial_correction"),
            .seed = 3};
  }

  template <class Real>
  void expect_the_rest_to_be_the_same() const {
    const TemporaryFolder folder;
    const Folder opened(folder.path());
    Saver undisturbed({.folder = &opened, .name = "half.ckpt"});
    Part<Real> whole(kind(), instance());
    whole.run(undisturbed, nullptr);

    const Checkpoint checkpoint = read_checkpoint(folder / "half.ckpt");
    Saver rest;
    Part<Real> resumed(kind(), instance());
    resumed.run(rest, &checkpoint);
    EXPECT_EQ(resumed.models(), whole.models());
    ASSERT_EQ(undisturbed.rows.size(), static_cast<std::size_t>(all + 1));
    EXPECT_EQ(rest.rows, std::vector<std::string>(undisturbed.rows.begin() + half + 1,
                                                  undisturbed.rows.end()));
  }
};

TEST_P(EveryMethod, ContinuesFromACheckpointBitForBit) {
  expect_the_rest_to_be_the_same<double>();
  expect_the_rest_to_be_the_same<float>();
}

// A resumed run has its state from the checkpoint: it computes no gradient before its next round.
TEST(Resumed, TakesNoGradientsBeforeItsRounds) {
  const Instance instance{.nodes = 6, .dim = 4, .rows = 5, .gradient_start = true};
  const auto exact = instance.problem();
  const RecordingProblem problem(*exact);
  for (const AlgorithmKind& kind : algorithm_kinds()) {
    LocalNetwork network(instance.mixing());
    const auto algorithm = make_fitting<double>(kind.name, problem, network, instance.options());
    const std::int64_t before = problem.calls(0);
    algorithm->resume(3, 9, [](const auto& state) { ASSERT_FALSE(state.empty()); });
    EXPECT_EQ(problem.calls(0), before) << kind.name;
    EXPECT_EQ(algorithm->gradients(), 9) << kind.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryMethod,
                         ::testing::Range<std::size_t>(0, algorithm_kinds().size()),
                         [](const auto& tested) {
                           std::string name(algorithm_kinds()[tested.param].name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// A checkpoint of K-GT on disk.
class CheckpointFile : public ::testing::Test {
 protected:
  CheckpointFile() : network_(instance().mixing()), x_({0, 6}, 4), c_({0, 6}, 4) {
    for (NodeId i = 0; i < 6; ++i) {
      x_[i].setConstant(i + 0.1);
      c_[i].setConstant(-i);
    }
    write({.round = 7,
           .gradients = 21,
           .seconds = 0.1 + 0.2,
           .first_loss = 1.0 / 3,
           .diagnosis = "none \"yet\"",
           .traffic = {.edge = 1234567890123456789, .uplink = 5}});
  }
  static Instance instance() { return {.nodes = 6, .dim = 4, .rows = 5}; }

  void write(const RunPosition& position) {
    const Folder opened(folder_.path());
    write_checkpoint<double>(
        {.folder = &opened, .name = "some.ckpt", .rows_before = {.bytes = 812, .crc = 0xa1b2c3d}},
        {.config = "[run]\nrounds = 9\n", .inputs = {{"problem.data a.txt", {5, 0xffffffff}}}},
        position, {{"x", &x_}, {"c", &c_}}, network_);
  }

  std::string bytes() const { return contents_of(file_); }
  std::string fault_of(const std::string& contents) const {
    folder_.write("changed.ckpt", contents);
    try {
      read_checkpoint(folder_ / "changed.ckpt");
      return "";
    } catch (const DataError& error) {
      return error.what();
    }
  }

  const TemporaryFolder folder_;
  const fs::path file_ = folder_ / "some.ckpt";
  LocalNetwork network_;
  Rows<double> x_, c_;
};

TEST_F(CheckpointFile, TellsWhatWasSaved) {
  const Checkpoint read = read_checkpoint(file_);
  EXPECT_EQ(read.identity.config, "[run]\nrounds = 9\n");
  EXPECT_EQ(read.identity.inputs, (FileSums{{"problem.data a.txt", {5, 0xffffffff}}}));
  EXPECT_EQ(read.version, version());
  EXPECT_EQ(read.rows_before, (FileSum{.bytes = 812, .crc = 0xa1b2c3d}));
  EXPECT_EQ(read.position.round, 7);
  EXPECT_EQ(read.position.gradients, 21);
  EXPECT_EQ(read.position.seconds, 0.1 + 0.2);
  EXPECT_EQ(read.position.first_loss, 1.0 / 3);
  EXPECT_EQ(read.position.diagnosis, "none \"yet\"");
  EXPECT_EQ(read.position.traffic.edge, 1234567890123456789U);
  EXPECT_EQ(read.position.traffic.uplink, 5U);
  EXPECT_EQ(read.nodes, 6);
  EXPECT_EQ(read.dim, 4);
  EXPECT_EQ(read.number_bytes, 8);
  EXPECT_EQ(read.rows, (std::vector<std::string>{"x", "c"}));
}

TEST_F(CheckpointFile, IsRefusedWhereverItIsCutOff) {
  const std::string whole = bytes();
  ASSERT_EQ(fault_of(whole), "");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(fault_of(whole.substr(0, size)), "") << "after " << size << " bytes";
  }
  EXPECT_NE(fault_of(whole + '\0'), "");
}

TEST_F(CheckpointFile, IsRefusedWhicheverByteIsChanged) {
  const std::string whole = bytes();
  for (std::size_t k = 0; k < whole.size(); ++k) {
    std::string changed = whole;
    changed[k] = static_cast<char>(changed[k] ^ 1);
    EXPECT_NE(fault_of(changed), "") << "byte " << k;
  }
}

// What someone may have written on purpose, its sum right.
TEST_F(CheckpointFile, IsRefusedWithSizesThatItDoesNotHold) {
  const std::string whole = bytes();
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"dim\":4", "\"dim\":9"},
           {"\"dim\":4,\"number_bytes\":8,\"rows\":[\"x\",\"c\"]",
            "\"dim\":9223372036854775807,\"number_bytes\":8,\"rows\":[]"},
           {"\"nodes\":6", "\"nodes\":0"},
           {"\"round\":7", "\"round\":-7"},
           {"\"gradients\":21", "\"gradients\":1e3"},
           {"\"rows\":[\"x\",\"c\"]", "\"rows\":[\"x\",1]"}}) {
    std::string changed = whole.substr(0, whole.size() - 4);
    const std::size_t at = changed.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    changed.replace(at, from.size(), to);
    std::uint32_t length = 0;
    std::memcpy(&length, changed.data() + 25, 4);
    length += static_cast<std::uint32_t>(to.size() - from.size());
    std::memcpy(changed.data() + 25, &length, 4);
    const auto sum = static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(changed.data()), changed.size()));
    changed.append(reinterpret_cast<const char*>(&sum), 4);
    EXPECT_NE(fault_of(changed), "") << to;
  }
}

// It may be a good one of a later version.
TEST_F(CheckpointFile, OfAnUnknownFormatIsNotCalledDamaged) {
  std::string changed = bytes();
  changed[21] = 2;
  folder_.write("changed.ckpt", changed);
  try {
    read_checkpoint(folder_ / "changed.ckpt");
    FAIL() << "it was read";
  } catch (const DamagedCheckpoint& error) {
    FAIL() << error.what();
  } catch (const DataError&) {
  }
}

TEST_F(CheckpointFile, OfEarlierVersionsTellsNoSums) {
  Checkpoint old{.file = {},
                 .identity = {.config = "text"},
                 .position = {.round = 1},
                 .nodes = 1,
                 .dim = 1,
                 .rows = {"x"}};
  auto header = nlohmann::json::parse(header_of(old));
  header.erase("inputs");
  const Checkpoint read = parse_header(header.dump(), "old.ckpt");
  EXPECT_TRUE(read.identity.inputs.empty());
  EXPECT_FALSE(read.version);
  EXPECT_FALSE(read.rows_before);
}

TEST_F(CheckpointFile, SaysWhichFormatItDoesNotKnow) {
  std::string changed = bytes();
  changed[21] = 2;
  EXPECT_NE(fault_of(changed).find("format 2, expected 1"), std::string::npos);
  EXPECT_NE(fault_of(changed).find("changed.ckpt"), std::string::npos);
}

TEST_F(CheckpointFile, OfAnotherMethodIsNotTakenForOurs) {
  const auto problem = instance().problem();
  Trial d_sgd("d-sgd", *problem, instance().mixing(), instance().options());
  LocalNetwork network(instance().mixing());
  EXPECT_THROW(restore(read_checkpoint(file_), d_sgd.algorithm(), network), DataError);
}

TEST(CheckpointHeader, IsRefusedWhereItNestsDeep) {
  const std::string deep = R"({"rows": )" + std::string(300'000, '[') + std::string(300'000, ']');
  try {
    parse_header(deep + "}", "round-1.ckpt");
    FAIL();
  } catch (const DamagedCheckpoint& error) {
    EXPECT_STREQ(error.what(),
                 "round-1.ckpt: the header of the checkpoint cannot be read: not valid JSON: nests "
                 "deeper than 64 levels; it is damaged");
  }
}

}  // namespace
}  // namespace driftless::testing
