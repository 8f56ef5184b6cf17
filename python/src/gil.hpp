#pragma once

#include <pybind11/pybind11.h>

#include <utility>

namespace driftless::python {

namespace py = pybind11;

// Holds the interpreter's lock, on any thread. A thread that asks for it the first time gets a
// Python thread state and keeps it: to make one takes ten microseconds, and to drop it would empty
// every threading.local. The interpreter frees them at its end.
class Gil {
 public:
  Gil() {
    if (PyGILState_GetThisThreadState() == nullptr) {
      PyGILState_Ensure();  // never given back: this count keeps the state
      PyEval_SaveThread();
    }
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
