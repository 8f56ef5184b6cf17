// Compressed letters: what is said, what both ends believe, and how far rows follow.
#include <gtest/gtest.h>

#include <cstring>
#include <mutex>

#include "driftless/network/local_network.hpp"
#include "tests/support/trial.hpp"

namespace driftless::testing {
namespace {

// Says half of a row, and remembers what it was asked to say.
class HalfCodec final : public Codec<double> {
 public:
  struct Asked {
    NodeId node;
    Round round;
    Step step;
    std::uint64_t seed;
    Vector<double> v;
  };

  Bytes bytes(Index d) const override { return static_cast<Bytes>(d) * sizeof(double); }
  void encode(const double* v, Index d, const Draw& draw, std::byte* out) const override {
    const Vector<double> row = Eigen::Map<const Vector<double>>(v, d);
    const Vector<double> half = row / 2;
    std::memcpy(out, half.data(), bytes(d));
    const std::scoped_lock lock(mutex_);
    asked.push_back({draw.node, draw.round, draw.step, draw.seed, row});
  }
  void add_decoded(const std::byte* in, Index d, const Draw&, double* to) const override {
    Vector<double> said(d);
    std::memcpy(said.data(), in, bytes(d));
    Eigen::Map<Vector<double>>(to, d) += said;
  }

  // What a node was asked to say in a round, as numbers of one.
  double said(NodeId node, Round round, Step step) const {
    const auto found = std::ranges::find_if(asked, [&](const Asked& each) {
      return each.node == node && each.round == round && each.step == step;
    });
    return found == asked.end() ? std::nan("") : found->v[0];
  }

  mutable std::vector<Asked> asked;

 private:
  mutable std::mutex mutex_;
};

struct Packed {
  explicit Packed(double first, double second, double rate = 1)
      : network(Conditions{.links = make_fixed(MixingMatrix::from_dense(
                               Eigen::Matrix2d{{0.75, 0.25}, {0.25, 0.75}})),
                           .codecs = {nullptr, codec},
                           .codec_rate = rate,
                           .seed = 77}) {
    rows[0][0] = first;
    rows[1][0] = second;
    network.start(rows);
  }
  void begin(Round t) { network.begin_round(t, rows, nobody); }

  std::shared_ptr<HalfCodec> codec = std::make_shared<HalfCodec>();
  LocalNetwork network;
  Rows<double> rows{{0, 2}, 1};
  Member<double> nobody;
};

TEST(Estimates, OfModelsBeginWhereAllNodesStart) {
  Packed packed(5, 5);
  packed.rows[0][0] = 7;
  Rows<double> z = packed.rows;
  packed.begin(0);
  packed.network.mix({&packed.rows, &z});
  EXPECT_EQ(packed.codec->said(0, 0, 0), 2) << "what is missing to the start";
  EXPECT_EQ(packed.codec->said(1, 0, 0), 0);
  EXPECT_EQ(packed.codec->said(0, 0, 1), 7) << "all other rows begin at zero";
  EXPECT_EQ(packed.codec->said(1, 0, 1), 5);
}

TEST(Estimates, OfModelsBeginAtZeroWhereNodesStartApart) {
  Packed packed(5, 6);
  packed.begin(0);
  packed.network.mix({&packed.rows});
  EXPECT_EQ(packed.codec->said(0, 0, 0), 5);
  EXPECT_EQ(packed.codec->said(1, 0, 0), 6);
}

// Believed are 4 and 0, then 4 + (7.5 − 4)/2 = 5.75 and 0.5/2 = 0.25.
TEST(Estimates, MoveRowsByTheDifferenceOfWhatIsBelieved) {
  Packed packed(8, 0, 0.5);
  packed.begin(0);
  packed.network.mix({&packed.rows});
  EXPECT_EQ(dense(packed.rows), Eigen::Vector2d(7.5, 0.5));
  packed.begin(1);
  packed.network.mix({&packed.rows});
  EXPECT_EQ(packed.codec->said(0, 1, 0), 3.5);
  EXPECT_EQ(packed.codec->said(1, 1, 0), 0.5);
  EXPECT_EQ(dense(packed.rows), Eigen::Vector2d(7.5 - 0.125 * 5.5, 0.5 + 0.125 * 5.5));
}

TEST(Estimates, MoveRowsHalfAsFarInALazyMix) {
  Packed packed(8, 0);
  packed.begin(0);
  packed.network.mix({&packed.rows}, Mixing::lazy);
  EXPECT_EQ(dense(packed.rows), Eigen::Vector2d(7.5, 0.5));
}

TEST(Estimates, AreForgottenByANewRun) {
  Packed packed(8, 0);
  packed.begin(0);
  packed.network.mix({&packed.rows});
  packed.rows[0][0] = 1;
  packed.rows[1][0] = 2;
  packed.network.start(packed.rows);
  packed.codec->asked.clear();
  packed.begin(0);
  packed.network.mix({&packed.rows});
  EXPECT_EQ(packed.codec->said(0, 0, 0), 1);
}

// Every letter of a run has a draw of its own, whatever its method samples.
TEST(Estimates, AreDrawnByNodeRoundMixAndRow) {
  Packed packed(8, 0);
  Rows<double> z = packed.rows;
  for (Round t = 0; t < 3; ++t) {
    packed.begin(t);
    packed.network.mix({&packed.rows, &z});
    packed.network.mix({&packed.rows, &z});
  }
  std::set<std::tuple<NodeId, Round, Step>> names;
  for (const auto& [node, round, step, seed, v] : packed.codec->asked) {
    EXPECT_EQ(seed, 77U);
    names.emplace(node, round, step);
  }
  EXPECT_EQ(names.size(), 2U * 3 * 2 * 2);
  EXPECT_EQ(*names.begin(), std::tuple(0, 0, 0));
  EXPECT_EQ(*names.rbegin(), std::tuple(1, 2, 3));
}

}  // namespace
}  // namespace driftless::testing
