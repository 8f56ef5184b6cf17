#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "driftless/base/named.hpp"
#include "driftless/data/load.hpp"
#include "driftless/data/split.hpp"
#include "driftless/problem/data_problem.hpp"
#include "driftless/problem/nn/cnn.hpp"
#include "driftless/problem/nn/logistic.hpp"
#include "driftless/problem/nn/softmax.hpp"
#include "driftless/problem/own_kinds.hpp"

namespace driftless {
namespace {

struct LearningOptions {
  std::filesystem::path data = "mnist";
  std::filesystem::path test_data = {};
  std::string split = "sorted";
  double alpha = 0.1;
  int shards = 2;
  int batch = 128;
  std::string sampling = "shuffle";
  double l2 = 0.0;
  double nonconvex = 0.0;
  std::vector<Index> hidden = {200};

  static void describe(OptionsOf<LearningOptions>& options) {
    using L = LearningOptions;
    options
        .add("data", &L::data,
             "mnist, or a folder of IDX files, or a LIBSVM file, seen from this file")
        .or_known("mnist");
    options.add("test_data", &L::test_data, "the LIBSVM file that accuracy is measured on");
    options.add("split", &L::split, "which node has which samples")
        .one_of(names_of<std::string>(values_of<Split>));
    options.add("alpha", &L::alpha, "of the Dirichlet split: the smaller, the more unequal")
        .above(0)
        .only_for("split", {"dirichlet"});
    options.add("shards", &L::shards, "pieces of the sorted samples that a node has")
        .at_least(1)
        .only_for("split", {"shards"});
    options.add("batch", &L::batch, "samples of a stochastic gradient").at_least(1);
    options.add("sampling", &L::sampling, "a fresh order each pass, or independent draws")
        .one_of({"shuffle", "iid"});
    options.add("l2", &L::l2, "lambda of lambda/2 |x|^2, added to every f_i").at_least(0);
    options
        .add("nonconvex", &L::nonconvex, "lambda of lambda sum x_j^2/(1 + x_j^2), added likewise")
        .at_least(0);
    options.add("hidden", &L::hidden, "units of each hidden layer: 200, or [300, 100]")
        .at_least(1)
        .at_most(1e6)
        .or_empty();
  }
};

LearningOptions options_in(const ProblemRequest& request) {
  return options_of<LearningOptions>().read(request.options);
}

using AnyModel =
    std::variant<std::shared_ptr<const Model<float>>, std::shared_ptr<const Model<double>>>;

AnyModel make_model(const std::string& kind, const std::vector<Index>& hidden,
                    const Dataset& train) {
  if (kind == "cnn") return std::make_shared<const Cnn>(train);
  if (kind == "mlp") return std::make_shared<const Mlp<float>>(train, hidden);
  if (kind == "softmax") return std::make_shared<const Softmax<double>>(train);
  return std::make_shared<const Logistic<double>>(train, false);
}

// Which node has which samples. Only labels and classes are looked at.
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

std::string data_key(const LearningOptions& options) {
  return options.data.string() + '\n' + options.test_data.string();
}

// All that the samples of the nodes depend on, as text.
std::string samples_key(const ProblemRequest& request) {
  const LearningOptions options = options_in(request);
  return fmt::format("{}\n{} {} {} {} {}", data_key(options), options.split, options.alpha,
                     options.shards, request.nodes, request.seed);
}

std::string model_key(const ProblemRequest& request) {
  const LearningOptions options = options_in(request);
  return fmt::format("{}\n{} {}", data_key(options), request.kind, fmt::join(options.hidden, " "));
}

// What is wrong with data names its file; this adds the keys that name the file.
LabelledData load_named(const LearningOptions& options, const ChooseSamples& choose) {
  const bool with_test = !options.test_data.empty();
  try {
    return load_data(options.data.string(),
                     with_test ? std::optional(options.test_data) : std::nullopt, choose);
  } catch (const InputError& error) {
    throw DataError("problem.data{}: {}", with_test ? ", problem.test_data" : "", error.what());
  }
}

// Data, splits and models, each once for all runs that need the same.
class DataSource final : public ProblemSource {
 public:
  void load(std::span<const ProblemRequest> requests) override {
    for (const ProblemRequest& request : requests) {
      const LearningOptions options = options_in(request);
      if (!data_.contains(data_key(options))) load_data_of(options, requests);
    }
    for (const ProblemRequest& request : requests) {
      const Dataset& train = data_.at(data_key(options_in(request)))->train;
      AnyModel& model = models_[model_key(request)];
      const bool made = std::visit([](const auto& held) { return held != nullptr; }, model);
      if (!made) model = make_model(request.kind, options_in(request).hidden, train);
    }
  }

  void exchange(const Processes& processes) override {
    for (NodeSamples* samples : in_order_) {
      std::vector<std::int64_t> own;
      for (const auto& of_node : samples->own) own.push_back(std::ssize(of_node));
      samples->counts = processes.gather_numbers(own);
    }
  }

  AnyProblem make(const ProblemRequest& request) const override {
    const LearningOptions options = options_in(request);
    const Batches batches(options.batch, from_name<Sampling>("sampling", options.sampling),
                          request.local_steps);
    const DataProblemOptions shape{
        .l2 = options.l2, .nonconvex = options.nonconvex, .seed = request.seed};
    return std::visit(
        [&]<class Real>(const std::shared_ptr<const Model<Real>>& model) -> AnyProblem {
          return std::make_unique<DataProblem<Real>>(data_.at(data_key(options)), model,
                                                     samples_.at(samples_key(request)), batches,
                                                     shape);
        },
        models_.at(model_key(request)));
  }

  void add_to(Fingerprint& fingerprint) const override {
    for (const auto& [key, data] : data_) {
      fingerprint.add_number(data->train.fingerprint);
      if (data->test) fingerprint.add_number(data->test->fingerprint);
    }
  }

 private:
  // Of training samples, a process among several keeps those of its own nodes in any of the runs.
  void load_data_of(const LearningOptions& options, std::span<const ProblemRequest> requests) {
    const std::string key = data_key(options);
    const auto split = [&](const Dataset& train) {
      std::vector<bool> chosen(train.labels.size());
      for (const ProblemRequest& request : requests) {
        if (data_key(options_in(request)) != key) continue;
        auto& samples = samples_[samples_key(request)];
        if (!samples) {
          const Partition partition = partition_of(request, train);
          samples = std::make_shared<NodeSamples>(partition, request.hosted);
          samples->told = told_split(train, partition);
          in_order_.push_back(samples.get());
        }
        for (const auto& own : samples->own) {
          for (const SampleId sample : own) chosen[static_cast<std::size_t>(sample)] = true;
        }
      }
      return chosen;
    };
    const auto hosts_all = [](const ProblemRequest& request) {
      return request.hosted.size() == request.nodes;
    };
    const bool alone = std::ranges::all_of(requests, hosts_all);
    auto data = std::make_shared<const LabelledData>(
        load_named(options, alone ? ChooseSamples() : ChooseSamples(split)));
    if (alone) split(data->train);
    data_.emplace(key, std::move(data));
  }

  std::map<std::string, std::shared_ptr<const LabelledData>> data_;
  std::map<std::string, std::shared_ptr<NodeSamples>> samples_;
  std::vector<NodeSamples*> in_order_;  // that of the requests, which all processes have
  std::map<std::string, AnyModel> models_;
};

}  // namespace

std::vector<ProblemKind> learning_kinds() {
  const auto kind = [](std::string name, std::string summary, std::string_view own_option) {
    std::vector<Option> options;
    for (const Option& option : options_of<LearningOptions>().list()) {
      const bool of_one_kind = option.name == "nonconvex" || option.name == "hidden";
      if (!of_one_kind || option.name == own_option) options.push_back(option);
    }
    return ProblemKind{.name = std::move(name),
                       .summary = std::move(summary),
                       .learns = true,
                       .options = std::move(options),
                       .group = "learning",
                       .open = [] { return std::make_unique<DataSource>(); }};
  };
  return {kind("softmax", "linear softmax regression (convex)", ""),
          kind("logistic", "binary logistic regression, without a bias (convex)", "nonconvex"),
          kind("mlp", "fully connected layers of problem.hidden units, with ReLU", "hidden"),
          kind("cnn", "the paper's convolutional network for images of 28 x 28", "")};
}

}  // namespace driftless
