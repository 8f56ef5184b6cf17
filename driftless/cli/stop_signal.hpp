#pragma once

namespace driftless {

// SIGINT, SIGTERM and SIGUSR1, which Slurm sends before the time is up and mpirun hands on, ask the
// runs to stop: they finish their round and save themselves. A second one ends the program at once.
void listen_for_stop_signals();

// The one that came, or 0.
int stop_signal();

}  // namespace driftless
