#include "driftless/record/run_texts.hpp"

#include "driftless/base/parse_json.hpp"
#include "driftless/base/regular_file.hpp"
#include "driftless/config/key.hpp"
#include "driftless/data/npy.hpp"
#include "driftless/record/summary_file.hpp"

namespace driftless {
namespace {

template <class Real>
std::vector<Real> copied(const Numbers& numbers) {
  const auto values = std::get<std::span<const Real>>(numbers);
  return {values.begin(), values.end()};
}

class RunKeeper final : public RunObserver {
 public:
  RunKeeper(const PlannedRun& run, int threads, KeptRun& kept)
      : run_(run), threads_(threads), kept_(kept) {
    kept_.texts.config = to_toml(run.config);
    kept_.texts.metrics = metrics_header();
    kept_.texts.folder = run.folder;
    kept_.texts.experiment = run.folder;
    kept_.texts.source = kept_.texts.config;
  }

  void evaluated(const Metrics& row) override {
    last_row_ = row;
    kept_.texts.metrics += metrics_line(row);
  }

  void ended(const RunEnd& end) override {
    kept_.texts.summary = json_text(run_summary(run_, end, last_row_, threads_, {}));
    kept_.dim = end.dim;
    std::visit(
        [&]<class Real>(std::span<const Real>) {
          using Value = std::remove_const_t<Real>;
          kept_.models =
              KeptModels<Value>{copied<Value>(end.models), copied<Value>(end.mean_model)};
        },
        end.models);
  }

 private:
  const PlannedRun& run_;
  int threads_;
  KeptRun& kept_;
  Metrics last_row_;
};

// The numbers of a .npy file as the run wrote it.
template <class Real>
std::vector<Real> numbers_in(const std::string& bytes, const std::filesystem::path& file) {
  const NpyArray array = parse_npy(bytes, file.string());
  return {array.numbers.begin(), array.numbers.end()};
}

}  // namespace

KeptRun read_kept_run(const std::filesystem::path& folder) {
  KeptRun kept{.texts = {.config = read_file(folder / "config.toml"),
                         .metrics = read_file(folder / "metrics.csv"),
                         .folder = folder,
                         .experiment = folder}};
  kept.texts.source = kept.texts.config;
  if (!std::filesystem::exists(folder / "summary.json")) return kept;
  kept.texts.summary = read_file(folder / "summary.json");
  const std::string all = read_file(folder / "nodes.npy");
  const std::string mean = read_file(folder / "model.npy");
  kept.dim = static_cast<Index>(parse_npy(all, (folder / "nodes.npy").string()).columns());
  const bool is_float = all.substr(0, all.find('\n')).find("<f4") != std::string::npos;
  const auto both = [&]<class Real>(KeptModels<Real>) {
    kept.models = KeptModels<Real>{numbers_in<Real>(all, folder / "nodes.npy"),
                                   numbers_in<Real>(mean, folder / "model.npy")};
  };
  if (is_float) {
    both(KeptModels<float>());
  } else {
    both(KeptModels<double>());
  }
  return kept;
}

RecordedRun recorded(const RunTexts& texts) {
  SettingsReader reader;
  RecordedMetrics metrics = parse_metrics(texts.metrics, texts.folder / "metrics.csv");
  if (!metrics.fault.empty()) throw DataError(metrics.fault);
  return {.folder = texts.folder,
          .experiment = texts.experiment,
          .settings = reader.parse(texts.config, texts.folder / "config.toml"),
          .metrics = std::move(metrics),
          .summary = texts.summary.empty()
                         ? nlohmann::json()
                         : parse_summary(texts.summary, texts.folder / "summary.json"),
          .source = texts.source};
}

std::unique_ptr<RunObserver> keep_run(const PlannedRun& run, int threads, KeptRun& kept) {
  return std::make_unique<RunKeeper>(run, threads, kept);
}

}  // namespace driftless
