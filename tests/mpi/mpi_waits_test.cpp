#include "driftless/network/mpi/mpi_waits.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "driftless/base/processes.hpp"
#include "driftless/network/mpi/mpi_messages.hpp"

namespace driftless {
namespace {

// Rank 0 waits for rank 1, which comes a little later and waits for rank 2, which does nothing. At
// rank 0's limit rank 1 has sent nothing either, but it has said that it waits.
TEST(MpiWaits, NameTheRankThatHangsAndNoneThatWaitsForIt) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks < 3) GTEST_SKIP() << "needs three ranks";
  constexpr double limit = 0.05;
  constexpr std::chrono::duration<double, std::ratio<60>> later(limit / 8);
  MpiWaits waits(MPI_COMM_WORLD);
  waits.set_limit(limit);
  constexpr int tag = 7;
  int number = rank;
  if (rank == 0) {
    MpiMessages messages(waits, MPI_COMM_WORLD, tag);
    messages.receive(&number, 1, MPI_INT, 1);
    EXPECT_NO_THROW(messages.wait());
    EXPECT_EQ(number, 1);
  }
  if (rank == 1) {
    std::this_thread::sleep_for(later);
    MpiMessages messages(waits, MPI_COMM_WORLD, tag);
    int unused = 0;
    messages.receive(&unused, 1, MPI_INT, 2);
    try {
      messages.wait();
      ADD_FAILURE() << "it should have given up";
    } catch (const SilentProcess& silent) {
      EXPECT_STREQ(silent.what(), "rank 2 has not answered for 0.05 minutes");
    }
    MpiMessages last(waits, MPI_COMM_WORLD, tag);
    last.send(&number, 1, MPI_INT, 0);
    last.wait();
  }
  if (rank >= 2) std::this_thread::sleep_for(12 * later);
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(MpiWaits, LastAsLongAsItTakesWithoutALimit) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks < 2) GTEST_SKIP() << "needs two ranks";
  MpiWaits waits(MPI_COMM_WORLD);
  if (rank == 1) std::this_thread::sleep_for(std::chrono::milliseconds(300));
  MpiMessages messages(waits, MPI_COMM_WORLD, 8);
  int number = 5;
  if (rank == 0) messages.receive(&number, 1, MPI_INT, 1);
  if (rank == 1) messages.send(&number, 1, MPI_INT, 0);
  EXPECT_NO_THROW(messages.wait());
  EXPECT_EQ(number, 5);
}

}  // namespace
}  // namespace driftless
