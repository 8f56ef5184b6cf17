#include "driftless/network/ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "driftless/base/error.hpp"

namespace driftless {

namespace {

// What launchers leave in the environment: Open MPI's mpirun, Hydra and Slurm's PMI, and PMIx.
constexpr std::array marks{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};

std::string broadcast_from(int root, std::string text) {
  int length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, root, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, root, MPI_COMM_WORLD);
  return text;
}

}  // namespace

Ranks::Ranks(int& argc, char**& argv)
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

Ranks::~Ranks() {
  if (launched_) MPI_Finalize();
}

void Ranks::agree(const std::string& fault, std::uint64_t fingerprint) const {
  if (!launched_) {
    if (!fault.empty()) throw ConfigError(fault);
    return;
  }
  const int own = fault.empty() ? count_ : rank_;
  int first_at_fault = count_;
  MPI_Allreduce(&own, &first_at_fault, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first_at_fault < count_) {
    const std::string text = broadcast_from(first_at_fault, fault);
    throw ConfigError(first_at_fault == 0 ? text
                                          : fmt::format("rank {}: {}", first_at_fault, text));
  }
  std::vector<std::uint64_t> all(static_cast<std::size_t>(count_));
  MPI_Allgather(&fingerprint, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
  const auto odd = std::ranges::find_if(all, [&](std::uint64_t each) { return each != all[0]; });
  if (odd != all.end()) {
    throw ConfigError(
        fmt::format("rank {} has another version of driftless, another config or other data than "
                    "rank 0; give all machines the same",
                    odd - all.begin()));
  }
}

bool Ranks::any(bool here) const {
  if (!launched_) return here;
  int said = here ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &said, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return said != 0;
}

std::string Ranks::broadcast(std::string text) const {
  return launched_ ? broadcast_from(0, std::move(text)) : text;
}

void Ranks::abort(int exit_code) const {
  if (launched_) MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

}  // namespace driftless
