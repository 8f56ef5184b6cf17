#include "driftless/network/mpi/mpi_runtime.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "driftless/network/mpi/mpi_alarm.hpp"
#include "driftless/network/mpi/mpi_messages.hpp"
#include "driftless/network/mpi/mpi_network.hpp"

namespace driftless {
namespace {

// What launchers leave in the environment: Open MPI's mpirun, Hydra and Slurm's PMI, and PMIx.
constexpr std::array marks{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};

constexpr double default_timeout = 30;  // minutes
constexpr int length_tag = 0;
constexpr int text_tag = 1;

}  // namespace

MpiRuntime::MpiRuntime(int& argc, char**& argv)
    : launched_(std::ranges::any_of(marks,
                                    [](const char* mark) { return std::getenv(mark) != nullptr; })),
      timeout_(default_timeout) {
  if (!launched_) return;
  const MpiAlarm alarm(timeout_);
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &count_);
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine);
  MPI_Comm_size(machine, &on_this_machine_);
  MPI_Comm_free(&machine);
  waits_ = std::make_shared<MpiWaits>(MPI_COMM_WORLD);
  waits_->set_limit(timeout_);
  texts_ = waits_->duplicate();
}

MpiRuntime::~MpiRuntime() {
  if (!launched_) return;
  const MpiAlarm alarm(timeout_);
  MPI_Comm_free(&texts_);
  waits_.reset();
  MPI_Finalize();
}

void MpiRuntime::set_timeout(double minutes) {
  timeout_ = minutes;
  if (waits_) waits_->set_limit(minutes);
}

// The lengths first: who receives must know how much.
std::vector<std::string> MpiRuntime::gather(std::string own) const {
  if (count_ == 1) return Runtime::gather(std::move(own));
  const auto length = static_cast<int>(own.size());
  std::vector<int> lengths(static_cast<std::size_t>(count_));
  MpiMessages told(*waits_, texts_, length_tag);
  with_every_other(
      rank_, count_,
      [&](int from) { told.receive(&lengths[static_cast<std::size_t>(from)], 1, MPI_INT, from); },
      [&](int to) { told.send(&length, 1, MPI_INT, to); });
  told.wait();

  std::vector<std::string> texts(static_cast<std::size_t>(count_));
  MpiMessages sent(*waits_, texts_, text_tag);
  with_every_other(
      rank_, count_,
      [&](int from) {
        std::string& text = texts[static_cast<std::size_t>(from)];
        text.resize(static_cast<std::size_t>(lengths[static_cast<std::size_t>(from)]));
        sent.receive(text.data(), static_cast<int>(text.size()), MPI_CHAR, from);
      },
      [&](int to) { sent.send(own.data(), length, MPI_CHAR, to); });
  sent.wait();
  texts[static_cast<std::size_t>(rank_)] = std::move(own);
  return texts;
}

// A job of one rank exchanges no messages, so its runs may go side by side on threads.
std::unique_ptr<Network> MpiRuntime::network(const MixingMatrix& mixing) const {
  if (count_ == 1) return Runtime::network(mixing);
  return std::make_unique<MpiNetwork>(mixing, waits_);
}

std::unique_ptr<Network> MpiRuntime::network(Conditions conditions) const {
  if (count_ == 1) return Runtime::network(std::move(conditions));
  return std::make_unique<MpiNetwork>(std::move(conditions), waits_);
}

void MpiRuntime::abort(int exit_code) const {
  if (launched_) MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

}  // namespace driftless
