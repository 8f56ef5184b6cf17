#pragma once

#include <array>
#include <csignal>

namespace driftless::python {

// What ends a run from outside: signals, and the end of the interpreter.

// While one lives on Python's main thread, SIGINT, SIGTERM and SIGUSR1 end the run after its round;
// a second one ends it at its next callback. Python's own handler would wait for its main thread,
// which is in C++. Where somebody else handles a signal, it is left to them. To be made under the
// GIL.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  int last() const;  // the signal that came; 0: none

 private:
  struct Handled {
    int signal = 0;  // 0: left to others
    struct sigaction before {};
  };
  std::array<Handled, 3> handled_;
};

// Whether runs are to end after their round.
bool stop_wanted();

// A run is ended in the middle of a round.
struct Aborted {};

// Throws Aborted after the second signal, and when the interpreter ends. To be asked before the GIL
// is: an interpreter that ends kills threads that ask it for the lock.
void check_stop();

// Whether the interpreter is about to end: it kills threads that ask it for its lock.
bool interpreter_ends();

// While one lives, the interpreter's end waits for it. Who makes one asks interpreter_ends() after.
class UnderWay {
 public:
  UnderWay();
  ~UnderWay();
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;
};

// Ends the runs that are under way on other threads. To be called without the GIL, when the
// interpreter is about to end.
void end_runs();

}  // namespace driftless::python
