#include "results.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cstring>

#include "driftless/base/error.hpp"
#include "driftless/report/report.hpp"

namespace driftless::python {
namespace {

template <class Real>
py::object array_of(const std::vector<Real>& numbers, Index columns) {
  if (columns == 0) return py::none();
  const py::array_t<Real> all(static_cast<py::ssize_t>(numbers.size()), numbers.data());
  return all.attr("reshape")(-1, columns);
}

template <class Real>
nlohmann::json packed(const std::vector<Real>& numbers) {
  std::vector<std::uint8_t> bytes(numbers.size() * sizeof(Real));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return nlohmann::json::binary(std::move(bytes));
}

template <class Real>
std::vector<Real> unpacked(const nlohmann::json& binary) {
  const auto& bytes = binary.get_binary();
  std::vector<Real> numbers(bytes.size() / sizeof(Real));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

nlohmann::json packed(const KeptRun& run) {
  nlohmann::json json{{"config", run.texts.config},
                      {"metrics", run.texts.metrics},
                      {"summary", run.texts.summary},
                      {"folder", run.texts.folder.string()},
                      {"experiment", run.texts.experiment.string()},
                      {"source", run.texts.source},
                      {"dim", run.dim},
                      {"float", run.models.index() == 1}};
  std::visit(
      [&](const auto& models) {
        json["all"] = packed(models.all);
        json["mean"] = packed(models.mean);
      },
      run.models);
  return json;
}

KeptRun unpacked_run(const nlohmann::json& json) {
  KeptRun run{.texts = {.config = json["config"],
                        .metrics = json["metrics"],
                        .summary = json["summary"],
                        .folder = json["folder"].get<std::string>(),
                        .experiment = json["experiment"].get<std::string>(),
                        .source = json["source"]},
              .dim = json["dim"]};
  if (json["float"].get<bool>()) {
    run.models = KeptModels<float>{unpacked<float>(json["all"]), unpacked<float>(json["mean"])};
  } else {
    run.models = KeptModels<double>{unpacked<double>(json["all"]), unpacked<double>(json["mean"])};
  }
  return run;
}

using Texts = std::map<std::string, std::string>;

struct ChoiceReader {
  const py::dict& given;

  template <class T>
  T get(const char* name, T otherwise) const {
    if (!given.contains(name) || given[name].is_none()) return otherwise;
    return given[name].cast<T>();
  }
};

Limits limits_of(const ChoiceReader& reader, const char* name) {
  const auto text = reader.get<std::string>(name, "");
  return text.empty() ? Limits{} : parse_limits(name, text);
}

FigureChoice choice_of(const py::dict& given) {
  const ChoiceReader reader{given};
  FigureChoice choice{.metric = reader.get<std::string>("metric", ""),
                      .against = reader.get<std::string>("against", ""),
                      .panels = reader.get<std::string>("panels", ""),
                      .only = reader.get<Texts>("only", {}),
                      .y = reader.get<std::string>("y", ""),
                      .x = reader.get<std::string>("x", ""),
                      .x_limits = limits_of(reader, "xlim"),
                      .y_limits = limits_of(reader, "ylim"),
                      .band = reader.get<std::string>("band", ""),
                      .labels = reader.get<Texts>("label", {}),
                      .colours = reader.get<Texts>("colour", {})};
  const auto scale = reader.get<std::string>("scale", "");
  if (!scale.empty() && scale != "log" && scale != "linear") {
    throw ConfigError("scale: found \"{}\", expected log or linear", scale);
  }
  if (!scale.empty()) choice.log = scale == "log";
  return choice;
}

py::bytes reported(const std::vector<PyRun>& runs, const std::string& format,
                   const py::dict& options, int width) {
  const FigureChoice choice = choice_of(options);
  std::string text;
  {
    const py::gil_scoped_release others;
    std::vector<RecordedRun> all;
    all.reserve(runs.size());
    for (const PyRun& run : runs) all.push_back(run.recorded_run());
    text = Report(all, choice).as(format, width);
  }
  return text;
}

std::vector<PyRun> runs_in(const std::vector<std::filesystem::path>& folders) {
  std::vector<PyRun> runs;
  for (RecordedRun& run : read_runs(folders)) runs.emplace_back(std::move(run));
  return runs;
}

}  // namespace

py::dict PyRun::settings() const { return py::cast(recorded_.settings); }

py::dict PyRun::columns() const {
  py::dict all;
  for (const MetricColumn& column : metric_columns()) {
    const std::vector<double> numbers = recorded_.column(column.name);
    all[py::str(std::string(column.name))] =
        py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
  }
  return all;
}

std::string PyRun::summary() const {
  return recorded_.summary.is_null() ? "" : recorded_.summary.dump();
}

py::object PyRun::loaded(const char* file) const {
  const std::filesystem::path path = recorded_.folder / file;
  if (recorded_.summary.is_null() || !std::filesystem::exists(path)) return py::none();
  return py::module_::import("numpy").attr("load")(path.string());
}

py::object PyRun::models() const {
  if (!kept_) return loaded("nodes.npy");
  return std::visit([&](const auto& models) { return array_of(models.all, kept_->dim); },
                    kept_->models);
}

py::object PyRun::model() const {
  if (!kept_) return loaded("model.npy");
  const py::object rows = std::visit(
      [&](const auto& models) { return array_of(models.mean, kept_->dim); }, kept_->models);
  return rows.is_none() ? rows : py::object(rows[py::int_(0)]);
}

std::vector<PyRun> shared(std::vector<KeptRun> runs, const Processes& processes) {
  if (processes.count() > 1) {
    nlohmann::json json = nlohmann::json::array();
    for (const KeptRun& run : runs) json.push_back(packed(run));
    std::string bytes;
    nlohmann::json::to_cbor(json, bytes);
    bytes = processes.broadcast(processes.first() ? bytes : "");
    runs.clear();
    for (const nlohmann::json& each : nlohmann::json::from_cbor(bytes)) {
      runs.push_back(unpacked_run(each));
    }
  }
  std::vector<PyRun> all;
  all.reserve(runs.size());
  for (KeptRun& run : runs) all.emplace_back(std::move(run));
  return all;
}

void bind_results(py::module_& module) {
  using py::literals::operator""_a;
  py::class_<PyRun>(module, "Run", "A run as its folder tells it.")
      .def_property_readonly("settings", &PyRun::settings)
      .def_property_readonly("columns", &PyRun::columns)
      .def_property_readonly("outcome",
                             [](const PyRun& run) { return run.recorded_run().outcome(); })
      .def_property_readonly("summary", &PyRun::summary)
      .def_property_readonly("folder", &PyRun::folder)
      .def_property_readonly("models", &PyRun::models)
      .def_property_readonly("model", &PyRun::model);
  module.def("read", &runs_in, "folders"_a, py::call_guard<py::gil_scoped_release>());
  module.def("report", &reported, "runs"_a, "format"_a, "choice"_a, "width"_a);
}

}  // namespace driftless::python
