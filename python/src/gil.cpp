#include "gil.hpp"

#include "stop.hpp"

namespace driftless::python {
namespace {

class KeptState {
 public:
  KeptState() : before_(PyGILState_Ensure()), state_(PyEval_SaveThread()) {}
  // Of a thread that ends. An interpreter that ends too frees what is left, and must not be asked
  // for its lock.
  ~KeptState() {
    const UnderWay until_it_is_given_back;
    if (interpreter_ends()) return;
    PyEval_RestoreThread(state_);
    PyGILState_Release(before_);
  }
  KeptState(const KeptState&) = delete;
  KeptState& operator=(const KeptState&) = delete;

 private:
  PyGILState_STATE before_;
  PyThreadState* state_;
};

}  // namespace

void keep_thread_state() { thread_local const KeptState state; }

}  // namespace driftless::python
