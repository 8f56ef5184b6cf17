// Exchange over MPI, for bench/run: every rank of the job is one node of a ring, and mixes two
// vectors of d floats with its neighbours, as K-GT does. Prints the microseconds of three things
// that take turns, the median of many turns: a mix of MpiNetwork; the plain loop that a user would
// write, MPI_Neighbor_alltoallv and the weighted sum; and the MPI_Neighbor_alltoallv alone.
#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <vector>

#include "bench/measure.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/weights.hpp"
#include "driftless/network/mpi/mpi_network.hpp"

namespace {

using namespace driftless;

constexpr Index dim = 21'840;  // the paper's CNN
constexpr int numbers = 2 * dim;

class PlainRing {
 public:
  PlainRing(int rank, int ranks)
      : sent_(numbers, 1.0F), received_(std::size_t{2} * numbers), mixed_(numbers) {
    const std::array neighbours{(rank + ranks - 1) % ranks, (rank + 1) % ranks};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, neighbours.data(), MPI_UNWEIGHTED, 2,
                                   neighbours.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring_);
  }
  PlainRing(const PlainRing&) = delete;
  PlainRing& operator=(const PlainRing&) = delete;
  ~PlainRing() { MPI_Comm_free(&ring_); }

  void exchange() {
    const std::array counts{numbers, numbers};
    const std::array from{0, 0};
    const std::array to{0, numbers};
    MPI_Neighbor_alltoallv(sent_.data(), counts.data(), from.data(), MPI_FLOAT, received_.data(),
                           counts.data(), to.data(), MPI_FLOAT, ring_);
  }
  void mix() {
    exchange();
    const float third = 1.0F / 3;
    for (int k = 0; k < numbers; ++k) {
      mixed_[k] = third * sent_[k] + third * received_[k] + third * received_[numbers + k];
    }
    std::swap(sent_, mixed_);
  }

 private:
  MPI_Comm ring_ = MPI_COMM_NULL;
  std::vector<float> sent_, received_, mixed_;
};

// Microseconds of one call, over so many in a row; all ranks take as long, for they wait for each
// other.
template <class Work>
double time_of(const Work& work) {
  constexpr int calls = 50;
  MPI_Barrier(MPI_COMM_WORLD);
  return bench::seconds([&] {
           for (int k = 0; k < calls; ++k) work();
         }) /
         calls * 1e6;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  {
    MpiNetwork network(
        make_mixing(make_graph({.family = "ring", .nodes = ranks}), Weights::metropolis),
        MPI_COMM_WORLD);
    Rows<float> x(network.hosted(), dim);
    Rows<float> z(network.hosted(), dim);
    x[network.hosted().first].setOnes();
    PlainRing plain(rank, ranks);
    std::array<std::vector<double>, 3> times;
    for (int turn = 0; turn < 31; ++turn) {
      times[0].push_back(time_of([&] { network.mix({&x, &z}); }));
      times[1].push_back(time_of([&] { plain.mix(); }));
      times[2].push_back(time_of([&] { plain.exchange(); }));
    }
    if (rank == 0) {
      fmt::print("{:.2f} {:.2f} {:.2f}\n", bench::median(times[0]), bench::median(times[1]),
                 bench::median(times[2]));
    }
  }
  MPI_Finalize();
}
