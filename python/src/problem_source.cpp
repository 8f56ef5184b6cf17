#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "problem.hpp"

namespace driftless::python {
namespace {

// Not on the heap of a thread that may outlive the interpreter: GivenProblem empties it.
thread_local PyObject* given =
    nullptr;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

struct PyProblemOptions {
  std::string class_name{};

  static void describe(OptionsOf<PyProblemOptions>& options) {
    options
        .add("class", &PyProblemOptions::class_name,
             "of the Python object that is the problem; dl.run is given it")
        .not_swept();
  }
};

AnyProblem made(const py::object& object, Step local_steps) {
  const py::object dtype =
      py::module_::import("numpy").attr("dtype")(py::getattr(object, "dtype", py::str("float64")));
  const auto name = py::str(dtype.attr("name")).cast<std::string>();
  if (name == "float64") return std::make_unique<PyProblem<double>>(object, local_steps);
  if (name == "float32") return std::make_unique<PyProblem<float>>(object, local_steps);
  throw py::type_error(fmt::format("the problem's dtype is {}, expected float64 or float32", name));
}

// The one problem of a dl.run, made for each of its runs.
class PySource final : public ProblemSource {
 public:
  PySource() {
    if (given == nullptr) {
      throw ConfigError(
          "problem.kind = \"python\" is a problem of a Python program: call dl.run with it there");
    }
    const Gil gil;
    *object_ = py::reinterpret_borrow<py::object>(given);
    nodes_ = object_->attr("nodes").cast<NodeId>();
  }

  void load(std::span<const ProblemRequest> requests, const Notice& /*notice*/) override {
    for (const ProblemRequest& request : requests) {
      if (request.nodes != nodes_) {
        throw ConfigError("the problem has {} nodes, but the network {}; leave network.nodes out",
                          nodes_, request.nodes);
      }
    }
  }

  AnyProblem make(const ProblemRequest& request) const override {
    const Gil gil;
    return made(*object_, request.local_steps);
  }

  std::string different_starts(const ProblemRequest& request) const override {
    return std::visit(
        [&]<class Real>(const std::unique_ptr<Problem<Real>>& problem) -> std::string {
          Vector<Real> first(problem->dim());
          Vector<Real> other(problem->dim());
          problem->start(0, first);
          for (NodeId i = request.hosted.first; i < request.hosted.last; ++i) {
            problem->start(i, other);
            if (first != other) return "start() gives nodes different models";
          }
          return "";
        },
        make(request));
  }

 private:
  Guarded<py::object> object_;
  NodeId nodes_ = 0;
};

}  // namespace

GivenProblem::GivenProblem(py::object problem) : before_(py::reinterpret_steal<py::object>(given)) {
  given = problem.is_none() ? nullptr : problem.release().ptr();
}

GivenProblem::~GivenProblem() {
  Py_XDECREF(given);
  given = before_.release().ptr();
}

void register_python_problems() {
  register_problem({.name = "python",
                    .summary = "functions of a Python object",
                    .learns = true,  // it may: nothing is refused that needs samples
                    .options = options_of<PyProblemOptions>().list(),
                    .open = [] { return std::make_unique<PySource>(); }});
}

}  // namespace driftless::python
