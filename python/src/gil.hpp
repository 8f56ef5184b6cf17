#pragma once

#include <pybind11/pybind11.h>

#include <utility>

namespace driftless::python {

namespace py = pybind11;

// Gives this thread a Python thread state, which it keeps until it ends.
void keep_thread_state();

// Holds the interpreter's lock, on any thread. A thread that asks for it the first time gets a
// Python thread state and keeps it: to make one takes ten microseconds, and to drop it would empty
// every threading.local.
class Gil {
 public:
  Gil() {
    if (PyGILState_GetThisThreadState() == nullptr) keep_thread_state();
    before_ = PyGILState_Ensure();
  }
  ~Gil() { PyGILState_Release(before_); }
  Gil(const Gil&) = delete;
  Gil& operator=(const Gil&) = delete;

 private:
  PyGILState_STATE before_;
};

// Holds what must be destroyed under the lock, wherever its owner is destroyed.
template <class T>
class Guarded {
 public:
  Guarded() = default;
  explicit Guarded(T value) : value_(std::move(value)) {}
  ~Guarded() {
    const Gil gil;
    value_ = T();
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  T& operator*() { return value_; }
  const T& operator*() const { return value_; }
  T* operator->() { return &value_; }
  const T* operator->() const { return &value_; }

 private:
  T value_;
};

}  // namespace driftless::python
