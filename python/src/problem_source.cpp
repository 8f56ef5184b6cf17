#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "problem.hpp"

namespace driftless::python {
namespace {

// Not on the heap of a thread that may outlive the interpreter: GivenProblem empties it.
thread_local PyObject* given =
    nullptr;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

// What a config tells of the object, so that a folder knows whether another one may go on with it.
struct PyProblemOptions {
  std::string class_name{};
  Index parameters = 1;
  std::string dtype = "float64";

  static void describe(OptionsOf<PyProblemOptions>& options) {
    using P = PyProblemOptions;
    options
        .add("class", &P::class_name,
             "of the Python object that is the problem; dl.run is given it")
        .not_swept();
    options.add("parameters", &P::parameters, "d, the numbers of a Python problem's model")
        .at_least(1)
        .not_swept();
    options.add("dtype", &P::dtype, "what models of a Python problem are made of")
        .one_of({"float64", "float32"})
        .not_swept();
  }
};

// The keys that the object decides.
void check_unchanged(const py::object& object, const ProblemRequest& request) {
  const auto told = options_of<PyProblemOptions>().read(request.options);
  const auto dim = object.attr("dim").cast<Index>();
  const auto nodes = object.attr("nodes").cast<NodeId>();
  constexpr auto words = "the problem has {} {}, but the config says {}; leave {} out";
  if (request.nodes != nodes) {
    throw ConfigError(words, nodes, "nodes", request.nodes, "network.nodes");
  }
  if (told.parameters != dim)
    throw ConfigError(words, dim, "parameters", told.parameters, "problem.parameters");
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
  }

  void load(std::span<const ProblemRequest> requests, const Notice& /*notice*/) override {
    const Gil gil;
    for (const ProblemRequest& request : requests) check_unchanged(*object_, request);
  }

  AnyProblem make(const ProblemRequest& request) const override {
    const Gil gil;
    const std::string dtype = options_of<PyProblemOptions>().read(request.options).dtype;
    if (dtype == "float32")
      return std::make_unique<PyProblem<float>>(*object_, request.local_steps);
    return std::make_unique<PyProblem<double>>(*object_, request.local_steps);
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
