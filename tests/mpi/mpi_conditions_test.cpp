// Whatever happens to links and nodes, ranks give the bits of one process, and the wire carries
// what is metered.
#include <gtest/gtest.h>

#include "driftless/network/local_network.hpp"
#include "tests/mpi/mpi_ranks.hpp"
#include "tests/network/network_cases.hpp"
#include "tests/network/skies.hpp"

namespace driftless::testing {
namespace {

constexpr Round met_rounds = 6;

// Stands for a method with models x and a row z that sums up flows into c: all that it does depends
// on its nodes alone.
template <class Real>
class Walk final : public Member<Real> {
 public:
  using Cases = NetworkCases<Mpi<Real>>;

  Walk(Network& network, const typename Cases::Shape& shape)
      : network_(network),
        x_(Cases::hosted_rows(network, Cases::numbers(shape, 1))),
        z_(Cases::hosted_rows(network, Cases::numbers(shape, 2))),
        c_(network.hosted(), x_.dim()) {
    network_.start(x_);
  }

  void round(Round t) {
    network_.begin_round(t, x_, *this);
    network_.for_each_node([&](NodeId i) {
      x_[i] *= Real(1) + Real(i) / 100;
      z_[i] -= c_[i] / static_cast<Real>(network_.steps(i, 4));
    });
    network_.mix({&x_, &z_}, t % 2 == 0 ? Mixing::plain : Mixing::lazy);
    network_.for_each_node([&](NodeId i) { c_[i] += z_[i]; });
    if (t % 3 == 2) network_.average({&c_}, Answer::for_present);
  }
  void take_back(NodeId i, const ConstVectorView<Real>& flow) override { c_[i] -= flow; }
  void join(NodeId i, Round t) override {
    c_[i].setConstant(static_cast<Real>(t));
    z_[i].setZero();
  }

  std::array<Rows<Real>*, 3> rows() { return {&x_, &z_, &c_}; }

 private:
  Network& network_;
  Rows<Real> x_, z_, c_;
};

template <class Real>
class MpiConditions : public NetworkCases<Mpi<Real>> {
 public:
  static std::vector<typename NetworkCases<Mpi<Real>>::Shape> met_shapes() {
    return {{"ring", 5, 33}, {"erdos_renyi", 17, 40}};
  }
  static void expect_same(Walk<Real>& here, Walk<Real>& all, const std::string& what) {
    const NodeRange hosted = here.rows()[0]->hosted();
    for (std::size_t k = 0; k < 3; ++k) {
      for (NodeId i = hosted.first; i < hosted.last; ++i) {
        ASSERT_EQ((*here.rows()[k])[i], (*all.rows()[k])[i])
            << what << ", row " << k << ", node " << i;
      }
    }
  }
};
using MetNumbers = ::testing::Types<double, float>;
TYPED_TEST_SUITE(MpiConditions, MetNumbers);

TYPED_TEST(MpiConditions, GiveTheBitsOfOneProcess) {
  for (const Sky& sky : all_skies()) {
    for (const auto& shape : this->met_shapes()) {
      const auto network = Mpi<TypeParam>::make(sky.over(this->mixing(shape)));
      if (!network) continue;
      LocalNetwork local(sky.over(this->mixing(shape)));
      Walk<TypeParam> mine(*network, shape);
      Walk<TypeParam> all(local, shape);
      for (Round t = 0; t < met_rounds; ++t) {
        mine.round(t);
        all.round(t);
        this->expect_same(mine, all, sky.name + ", round " + std::to_string(t));
      }
      EXPECT_EQ(network->traffic().counts(), local.traffic().counts());
    }
  }
}

// Over ranks as in one process, and the other way round.
TYPED_TEST(MpiConditions, GoOnFromAStateOnAnotherNumberOfRanks) {
  const typename TestFixture::Shape shape{"erdos_renyi", 17, 40};
  for (const auto* skies : {&skies_of_late_letters(), &skies_of_packed_letters()}) {
    for (const Sky& sky : *skies) {
      const auto network = Mpi<TypeParam>::make(sky.over(this->mixing(shape)));
      if (!network) continue;
      LocalNetwork local(sky.over(this->mixing(shape)));
      Walk<TypeParam> mine(*network, shape);
      Walk<TypeParam> all(local, shape);
      for (Round t = 0; t < met_rounds; ++t) all.round(t);

      const Rows<TypeParam> told = local.template state<TypeParam>();
      Rows<TypeParam> state(network->hosted(), told.dim());
      network->distribute(told, state);
      network->resume(met_rounds, state);
      for (std::size_t k = 0; k < 3; ++k) network->distribute(*all.rows()[k], *mine.rows()[k]);
      for (Round t = met_rounds; t < 2 * met_rounds; ++t) {
        mine.round(t);
        all.round(t);
        this->expect_same(mine, all, sky.name + ", round " + std::to_string(t));
      }

      Rows<TypeParam> room;
      const Rows<TypeParam> mine_told = network->template state<TypeParam>();
      const Rows<TypeParam>& back = network->collect(mine_told, room);
      const Rows<TypeParam> expected = local.template state<TypeParam>();
      if (network->hosted().first != 0) continue;
      ASSERT_EQ(back.dim(), expected.dim()) << sky.name;
      for (NodeId i = 0; i < shape.nodes; ++i) ASSERT_EQ(back[i], expected[i]) << sky.name;
    }
  }
}

// Where every node is a rank of its own: letters as they are packed, late ones in their own round,
// and none over links that are down.
TYPED_TEST(MpiConditions, SendTheBytesThatAreMetered) {
  for (const Sky& sky : all_skies()) {
    for (const auto& shape : this->met_shapes()) {
      if (shape.nodes > ranks()) continue;
      const auto network = Mpi<TypeParam>::make(sky.over(this->mixing(shape)));
      if (!network) continue;
      auto x = this->hosted_rows(*network, this->numbers(shape, 1));
      auto z = x;
      Member<TypeParam> nobody;
      network->start(x);
      for (Round t = 0; t < met_rounds; ++t) {
        network->begin_round(t, x, nobody);
        network->mix({&x, &z});
      }
      std::vector<double> own(static_cast<std::size_t>(network->hosted().size()),
                              static_cast<double>(network->bytes_sent()));
      double sent = 0;
      MPI_Comm some = first_ranks(shape.nodes);
      MPI_Allreduce(own.data(), &sent, 1, MPI_DOUBLE, MPI_SUM, some);
      MPI_Comm_free(&some);
      EXPECT_EQ(sent, static_cast<double>(network->traffic().total()))
          << sky.name << ' ' << shape.family << ' ' << shape.nodes;
    }
  }
}

}  // namespace
}  // namespace driftless::testing
