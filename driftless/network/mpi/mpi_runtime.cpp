#include "driftless/network/mpi/mpi_runtime.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "driftless/network/mpi/mpi_network.hpp"

namespace driftless {
namespace {

// What launchers leave in the environment: Open MPI's mpirun, Hydra and Slurm's PMI, and PMIx.
constexpr std::array marks{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};

}  // namespace

MpiRuntime::MpiRuntime(int& argc, char**& argv)
    : launched_(std::ranges::any_of(
          marks, [](const char* mark) { return std::getenv(mark) != nullptr; })) {
  if (!launched_) return;
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &count_);
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine);
  MPI_Comm_size(machine, &on_this_machine_);
  MPI_Comm_free(&machine);
}

MpiRuntime::~MpiRuntime() {
  if (launched_) MPI_Finalize();
}

std::vector<std::string> MpiRuntime::gather(std::string own) const {
  if (count_ == 1) return Runtime::gather(std::move(own));
  const auto length = static_cast<int>(own.size());
  std::vector<int> lengths(static_cast<std::size_t>(count_));
  MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::vector<int> places;
  int total = 0;
  for (const int each : lengths) {
    places.push_back(total);
    total += each;
  }
  std::string all(static_cast<std::size_t>(total), '\0');
  MPI_Allgatherv(own.data(), length, MPI_CHAR, all.data(), lengths.data(), places.data(), MPI_CHAR,
                 MPI_COMM_WORLD);
  std::vector<std::string> texts;
  for (std::size_t rank = 0; rank < lengths.size(); ++rank) {
    texts.push_back(all.substr(static_cast<std::size_t>(places[rank]),
                               static_cast<std::size_t>(lengths[rank])));
  }
  return texts;
}

// A job of one rank exchanges no messages, so its runs may go side by side on threads.
std::unique_ptr<Network> MpiRuntime::network(MixingMatrix mixing) const {
  if (count_ == 1) return Runtime::network(std::move(mixing));
  return std::make_unique<MpiNetwork>(std::move(mixing), MPI_COMM_WORLD);
}

void MpiRuntime::abort(int exit_code) const {
  if (launched_) MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

}  // namespace driftless
