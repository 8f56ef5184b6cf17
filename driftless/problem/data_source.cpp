#include "driftless/problem/data_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "driftless/base/named.hpp"
#include "driftless/data/load.hpp"
#include "driftless/data/site_shape.hpp"
#include "driftless/data/sites.hpp"
#include "driftless/data/split.hpp"
#include "driftless/problem/data_problem.hpp"
#include "driftless/problem/found_optimum.hpp"
#include "driftless/problem/learning_request.hpp"
#include "driftless/problem/models.hpp"
#include "driftless/problem/standardise.hpp"

namespace driftless {
namespace {

// Which node has which samples. Only what is to be learnt of them is looked at.
Partition partition_of(const ProblemRequest& request, const Dataset& train) {
  const LearningOptions options = options_in(request);
  try {
    return make_split(train, request.nodes,
                      {.split = from_name<Split>("split", options.split),
                       .alpha = options.alpha,
                       .shards = options.shards,
                       .seed = request.seed});
  } catch (const ConfigError& error) {
    throw ConfigError("problem.split = \"{}\" over network.nodes = {}: {}", options.split,
                      request.nodes, error.what());
  }
}

// What is wrong with data names its file; this adds the keys that name the file.
template <class Load>
auto load_named(const LearningOptions& options, const Load& load) {
  try {
    return load();
  } catch (const InputError& error) {
    throw DataError("problem.data{}: {}", options.test_data.empty() ? "" : ", problem.test_data",
                    error.what());
  }
}

void check_sites(const ProblemRequest& request) {
  const LearningOptions options = options_in(request);
  for (const NamedFiles& named : {options.data, options.test_data}) {
    if (named.size() <= 1 || std::ssize(named) == request.nodes) continue;
    throw ConfigError("{} files, expected one for each of {} nodes", named.size(), request.nodes);
  }
  for (NodeId i = request.hosted.first; i < request.hosted.last; ++i) {
    const std::filesystem::path file = site_file(options.data, i);
    if (std::filesystem::exists(file)) continue;
    throw DataError("{}: is not there, the file of node {}; network.nodes = {} counts from node 0",
                    file.string(), i, request.nodes);
  }
}

class DataSource final : public ProblemSource {
 public:
  std::optional<NodeId> nodes(const Settings& settings) override {
    const LearningOptions options = options_of<LearningOptions>().read(settings);
    if (options.data.size() <= 1) return std::nullopt;
    return static_cast<NodeId>(options.data.size());
  }

  void load(std::span<const ProblemRequest> requests, const Notice& notice) override {
    requests_.assign(requests.begin(), requests.end());
    for (const ProblemRequest& request : requests) {
      const LearningOptions options = options_in(request);
      if (options.delimiter.size() != 1) {
        throw ConfigError("problem.delimiter = \"{}\": expected one character", options.delimiter);
      }
      if (options.optimum && options.nonconvex > 0) {
        throw ConfigError(
            "problem.optimum = true needs a convex problem, without problem.nonconvex");
      }
      if (options.optimum && options.l2 <= 0) {
        throw ConfigError(
            "problem.optimum = true needs problem.l2 above 0, without which there may be no "
            "minimum");
      }
      Loaded& loaded = data_[data_key(request)];
      if (loaded.data || loaded.sites) continue;
      tell(notice, fmt::format("reading {}", options.data.front().string()));
      load_named(options, [&] {
        if (names_sites(options.data)) {
          check_sites(request);
          loaded.sites.emplace(options.data, options.test_data, request.hosted,
                               read_options(options, label_type(request)));
        } else {
          load_pool(request, loaded);
        }
        return 0;
      });
    }
  }

  void exchange(const Processes& processes, const Notice& notice) override {
    for (const ProblemRequest& request : requests_) agree_on_data(request, processes);
    for (const ProblemRequest& request : requests_) agree_on_samples(request, processes);
    processes.agree(fault_in([&] {
      for (const ProblemRequest& request : requests_) add_model(request);
    }));
    for (const ProblemRequest& request : requests_) add_optimum(request, processes, notice);
  }

  AnyProblem make(const ProblemRequest& request) const override {
    const LearningOptions options = options_in(request);
    const Batches batches(options.batch, from_name<Sampling>("sampling", options.sampling),
                          request.local_steps);
    const auto& [model, card] = models_.at(model_key(request));
    DataProblemOptions shape{
        .l2 = options.l2, .nonconvex = options.nonconvex, .seed = request.seed, .card = card};
    if (const auto found = optima_.find(optimum_key(request)); found != optima_.end()) {
      shape.optimum = found->second;
    }
    for (NodeId i = 0; names_sites(options.data) && i < request.nodes; ++i) {
      shape.sites.push_back(site_file(options.data, i).filename().string());
    }
    return std::visit(
        [&]<class Real>(const std::shared_ptr<const Model<Real>>& held) -> AnyProblem {
          return std::make_unique<DataProblem<Real>>(data_.at(data_key(request)).data, held,
                                                     samples_.at(samples_key(request)), batches,
                                                     shape);
        },
        model);
  }

  // Of files that every node has of its own, nothing: they differ.
  void add_to(Fingerprint& fingerprint) const override {
    for (const auto& [key, loaded] : data_) {
      if (!loaded.of_sites()) fingerprint.add_number(loaded.data->train.fingerprint);
      const bool common = loaded.data->test && loaded.site_tests.empty();
      if (common) fingerprint.add_number(loaded.data->test->fingerprint);
    }
  }

 private:
  struct Loaded {
    std::shared_ptr<LabelledData> data;
    std::optional<Sites> sites;  // until they agreed
    bool agreed = false;
    Partition site_samples;  // of the hosted nodes; empty: all nodes share the file
    Partition site_tests;

    bool of_sites() const { return !site_samples.empty(); }
  };

  // Of training samples, a process among several keeps those of its own nodes in any of the runs.
  // To standardise features, it must see them all.
  void load_pool(const ProblemRequest& of, Loaded& loaded) {
    const LearningOptions options = options_in(of);
    if (names_sites(options.test_data)) {
      throw ConfigError(
          "test_data names one file a node, but data one file for all; name both alike");
    }
    const std::string key = data_key(of);
    const auto split = [&](const Dataset& train) {
      std::vector<bool> chosen(static_cast<std::size_t>(train.samples()));
      for (const ProblemRequest& request : requests_) {
        if (data_key(request) != key) continue;
        auto& samples = samples_[samples_key(request)];
        if (!samples) samples = split_pool(request, train);
        for (const auto& own : samples->own) {
          for (const SampleId sample : own) chosen[static_cast<std::size_t>(sample)] = true;
        }
      }
      return chosen;
    };
    const auto hosts_all = [](const ProblemRequest& request) {
      return request.hosted.size() == request.nodes;
    };
    const bool whole = options.standardise || std::ranges::all_of(requests_, hosts_all);
    const auto test =
        options.test_data.empty() ? std::nullopt : std::optional(options.test_data.front());
    loaded.data = std::make_shared<LabelledData>(load_data(
        options.data.front().string(), test, whole ? ChooseSamples() : ChooseSamples(split),
        read_options(options, label_type(of))));
    if (whole) split(loaded.data->train);
    // Of one file there is nothing to compare, but numbers to learn may turn out to be classes.
    throw_if_different({shape_of(loaded.data->train)},
                       [&](std::size_t) { return options.data.front().string(); });
  }

  static std::shared_ptr<NodeSamples> split_pool(const ProblemRequest& request,
                                                 const Dataset& train) {
    const Partition all = partition_of(request, train);
    return std::make_shared<NodeSamples>(
        request.hosted,
        Partition(all.begin() + request.hosted.first, all.begin() + request.hosted.last));
  }

  void agree_on_data(const ProblemRequest& request, const Processes& processes) {
    const LearningOptions options = options_in(request);
    Loaded& loaded = data_.at(data_key(request));
    if (loaded.agreed) return;
    loaded.agreed = true;
    if (loaded.sites) {
      load_named(options, [&] {
        loaded.sites->agree(processes);
        return 0;
      });
      loaded.data = std::make_shared<LabelledData>(loaded.sites->merge());
      loaded.site_samples = loaded.sites->train();
      loaded.site_tests = loaded.sites->test();
      loaded.sites.reset();
    }
    if (!options.standardise) return;
    LabelledData& data = *loaded.data;
    processes.agree(fault_in([&] { check_standardisable(data.train); }));
    data.standardised =
        loaded.of_sites() ? standardisation_of(data.train, loaded.site_samples, processes)
                          : standardisation_of(data.train, {every_sample(data.train)}, Processes());
    standardise(data.train, *data.standardised);
    if (data.test) standardise(*data.test, *data.standardised);
  }

  void agree_on_samples(const ProblemRequest& request, const Processes& processes) {
    const LearningOptions options = options_in(request);
    const Loaded& loaded = data_.at(data_key(request));
    auto& samples = samples_[samples_key(request)];
    if (samples && !samples->counts.empty()) return;
    if (loaded.of_sites()) {
      samples = std::make_shared<NodeSamples>(request.hosted, loaded.site_samples);
      samples->tests = loaded.site_tests;
    }
    if (options.validation > 0) samples->hold_out(options.validation, request.seed);
    samples->exchange(processes, loaded.data->train);
    if (options.weighting == "samples") samples->weigh_by_samples();
    if (loaded.data->test) samples->measure_targets(processes, *loaded.data->test);
  }

  void add_model(const ProblemRequest& request) {
    const LearningOptions options = options_in(request);
    if (models_.contains(model_key(request))) return;
    const LabelledData& data = *data_.at(data_key(request)).data;
    const ModelCard card{.kind = request.kind,
                         .hidden = request.kind == "mlp" ? options.hidden : std::vector<Index>(),
                         .intercept = options.intercept,
                         .label = options.label,
                         .shape = shape_without_samples(data.train),
                         .standardised = data.standardised};
    models_.emplace(model_key(request),
                    DescribedModel{make_model(card), std::make_shared<const ModelCard>(card)});
  }

  void add_optimum(const ProblemRequest& request, const Processes& processes,
                   const Notice& notice) {
    const LearningOptions options = options_in(request);
    if (!options.optimum || optima_.contains(optimum_key(request))) return;
    const AnyProblem problem = make(request);
    Fingerprint content;
    content.add(fmt::format("1 {} {} {}", request.kind, options.intercept, options.l2));
    content.add_numbers(content_of_nodes(request, processes));
    content.add_numbers(samples_.at(samples_key(request))->weights);
    optima_.emplace(optimum_key(request),
                    found_optimum(*std::get<std::unique_ptr<Problem<double>>>(problem), options.l2,
                                  content.value(), request.hosted, processes, notice));
  }

  // A fingerprint of every node's training samples, as they are learnt from.
  std::vector<std::int64_t> content_of_nodes(const ProblemRequest& request,
                                             const Processes& processes) const {
    const Dataset& train = data_.at(data_key(request)).data->train;
    std::vector<std::int64_t> own;
    std::vector<double> row(static_cast<std::size_t>(train.features));
    for (const auto& samples : samples_.at(samples_key(request))->own) {
      Fingerprint content;
      for (const SampleId sample : samples) {
        read_sample(train, sample, row.data());
        content.add_numbers(row);
        const auto s = static_cast<std::size_t>(sample);
        content.add_number(train.targets.empty() ? train.labels[s] : train.targets[s]);
      }
      own.push_back(static_cast<std::int64_t>(content.value()));
    }
    return processes.gather_numbers(own);
  }

  struct DescribedModel {
    AnyModel model;
    std::shared_ptr<const ModelCard> card;
  };

  std::vector<ProblemRequest> requests_;  // in the order that all processes have
  std::map<std::string, Loaded> data_;
  std::map<std::string, std::shared_ptr<NodeSamples>> samples_;
  std::map<std::string, DescribedModel> models_;
  std::map<std::string, std::shared_ptr<const Optimum>> optima_;
};

}  // namespace

std::unique_ptr<ProblemSource> open_data_source() { return std::make_unique<DataSource>(); }

}  // namespace driftless
