#include "run.hpp"

#include <pybind11/stl.h>

#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include "driftless/config/key.hpp"
#include "driftless/record/experiment_count.hpp"
#include "driftless/record/output_folder.hpp"
#include "problem.hpp"
#include "results.hpp"
#include "runtime.hpp"
#include "stop.hpp"

namespace driftless::python {
namespace {

namespace fs = std::filesystem;

struct Request {
  std::string text;
  std::string name;
  fs::path folder;
  std::vector<std::string> overrides;
  fs::path out;
  bool force = false;
  bool resume = false;
  int threads = 0;
};

// How far the experiment is that it was given to. Threads of Python ask while it goes on.
class Progress {
 public:
  void watch(const ExperimentCount* count) {
    const std::lock_guard lock(mutex_);
    count_ = count;
  }
  std::string line(std::size_t columns) const {
    const std::lock_guard lock(mutex_);
    return count_ != nullptr ? count_->now().line(columns) : "";
  }
  std::string text() const {
    const std::lock_guard lock(mutex_);
    return count_ != nullptr ? count_->now().text() : "";
  }

 private:
  mutable std::mutex mutex_;
  const ExperimentCount* count_ = nullptr;
};

// Hands the rows of all runs to a Python function.
class RowCaller final : public RunObserver {
 public:
  explicit RowCaller(const py::object& each) : each_(each) {}
  void evaluated(const Metrics& row) override {
    const Gil gil;
    py::dict told;
    for (const MetricColumn& column : metric_columns())
      told[py::str(std::string(column.name))] = column.number(row);
    each_(told);
  }

 private:
  const py::object& each_;
};

// Keeps runs that leave no files, and tells how far all are.
class Listener final : public ExperimentCount {
 public:
  Listener(const ExperimentPlan& plan, const Request& request, int threads, const py::object& each,
           Progress& progress)
      : ExperimentCount(plan),
        plan_(plan),
        request_(request),
        threads_(threads),
        each_(each),
        progress_(progress) {
    progress_.watch(this);
  }
  ~Listener() override { progress_.watch(nullptr); }

  void found(std::span<const PlannedRun* const> runs, std::span<const FoundRun> found) override {
    ExperimentCount::found(runs, found);
    for (const FoundRun& run : found) {
      for (const DamagedFile& file : run.damaged) {
        warnings_.push_back(
            fmt::format("{}; it is not used, and kept as {}.damaged", file.fault, file.name));
      }
    }
  }

  void follow(const PlannedRun& run, RunObservers& observers) override {
    ExperimentCount::follow(run, observers);
    if (request_.out.empty()) {
      const std::lock_guard lock(mutex_);
      KeptRun& kept = kept_[&run];
      observers.push_back(keep_run(run, threads_, kept));
      kept.texts.experiment = request_.name;  // all runs are of one experiment
      kept.texts.source = request_.text;
    }
    if (!each_.is_none()) observers.push_back(std::make_unique<RowCaller>(each_));
  }

  // In the order of the plan, those that began.
  std::vector<KeptRun> kept() {
    std::vector<KeptRun> runs;
    for (const PlannedRun* run : plan_.runs()) {
      const auto found = kept_.find(run);
      if (found != kept_.end()) runs.push_back(std::move(found->second));
    }
    return runs;
  }
  std::vector<std::string> warnings() const { return warnings_; }

 private:
  const ExperimentPlan& plan_;
  const Request& request_;
  int threads_;
  const py::object& each_;
  Progress& progress_;
  std::mutex mutex_;
  std::map<const PlannedRun*, KeptRun> kept_;
  std::vector<std::string> warnings_;
};

struct Done {
  std::vector<PyRun> runs;
  std::vector<std::string> warnings;
  bool interrupted = false;
};

bool was_interrupted(const RunDigest& run) {
  return !run.outcome() || run.outcome() == Outcome::interrupted;
}

int threads_of(const Request& request, const Runtime& processes) {
  if (request.threads > 0) return request.threads;
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return std::max(1, cores / processes.on_this_machine());
}

// What the folder of an experiment holds; nothing, where no run has begun. Processes that may not
// see the folder get it all.
std::vector<PyRun> runs_in_folder(const fs::path& folder, const Processes& processes) {
  std::vector<RecordedRun> recorded;
  if (processes.first()) {
    const std::string none = fault_in([&] { recorded = read_runs({folder}); });
  }
  std::vector<PyRun> runs;
  if (processes.count() == 1) {
    for (RecordedRun& run : recorded) runs.emplace_back(std::move(run));
    return runs;
  }
  std::vector<KeptRun> kept;
  kept.reserve(recorded.size());
  for (const RecordedRun& run : recorded) kept.push_back(read_kept_run(run.folder));
  return shared(std::move(kept), processes);
}

// All of it, without the GIL. Every process calls it.
Done done(const Request& request, const py::object& each, Progress& progress) {
  const Runtime& processes = runtime();
  std::optional<ExperimentPlan> plan;
  Fingerprint configs;
  const std::string fault = fault_in([&] {
    plan = plan_experiment(request.text, request.name, request.folder, request.overrides);
    for (const PlannedRun* run : plan->all_runs()) configs.add(to_toml(run->config));
  });
  processes.agree(fault, configs.value());
  const Setup setup(*plan, processes);
  std::optional<OutputFolder> output;
  const bool to_folder = !request.out.empty();
  processes.agree(
      fault_in([&] {
        if (!to_folder || !processes.first()) return;
        output.emplace(prepare_folder(
            {.folder = request.out, .force = request.force, .resume = request.resume}, *plan));
      }),
      0);
  const int threads = threads_of(request, processes);
  const ExperimentRunOptions options{.folder = output ? &output->folder : nullptr,
                                     .resume = request.resume,
                                     .source = request.text,
                                     .overrides = request.overrides,
                                     .threads = threads,
                                     .wants_stop = stop_wanted};
  Listener listener(*plan, request, threads, each, progress);
  Done all;
  try {
    const Results results = ExperimentRun(*plan, setup, processes, options, listener).run();
    all.interrupted = processes.any(processes.first() && any_run(results, was_interrupted));
  } catch (const Aborted&) {
    if (processes.count() > 1) processes.abort(1);  // the others wait for this one
    all.interrupted = true;
  } catch (const InputError& error) {
    // What one process finds in its files the others do not know of: it is no refusal by all.
    if (processes.count() > 1) throw std::runtime_error(error.what());
    throw;
  }
  all.warnings = setup.warnings();
  for (std::string& each_warning : listener.warnings()) all.warnings.push_back(each_warning);
  const fs::path folder = output ? output->folder.where() : request.out;
  all.runs = to_folder ? runs_in_folder(folder, processes) : shared(listener.kept(), processes);
  return all;
}

py::tuple run(const std::string& text, const std::string& name, const std::string& folder,
              const std::vector<std::string>& overrides, const py::object& problem,
              const std::string& out, bool force, bool resume, int threads, Progress& progress,
              const py::object& each) {
  const Request request{text, name, folder, overrides, out, force, resume, threads};
  const GivenProblem given(problem);
  const StopSignals signals;
  Done all;
  {
    const py::gil_scoped_release others;
    const UnderWay until_the_end;
    all = done(request, each, progress);
  }
  return py::make_tuple(std::move(all.runs), std::move(all.warnings), all.interrupted);
}

}  // namespace

void bind_run(py::module_& module) {
  using py::literals::operator""_a;
  py::class_<Progress>(module, "Progress",
                       "How far an experiment is; it may be asked from any thread.")
      .def(py::init<>())
      .def("line", &Progress::line, "columns"_a)
      .def("text", &Progress::text);
  module.def("run", &run, "text"_a, "name"_a, "folder"_a, "overrides"_a, "problem"_a, "out"_a,
             "force"_a, "resume"_a, "threads"_a, "progress"_a, "each"_a);
}

}  // namespace driftless::python
