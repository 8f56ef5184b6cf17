#pragma once

namespace driftless {

// The program `driftless`, with all its commands, also for problems and methods that were
// registered before the call. Returns the exit code.
int program(int argc, char** argv);

}  // namespace driftless
