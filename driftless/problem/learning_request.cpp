#include "driftless/problem/learning_request.hpp"

#include <fmt/format.h>

namespace driftless {

LearningOptions options_in(const ProblemRequest& request) {
  return options_of<LearningOptions>().read(request.options);
}

LabelType label_type(const ProblemRequest& request) {
  return request.kind == "linear" ? LabelType::numbers : LabelType::classes;
}

std::string data_key(const ProblemRequest& request) {
  const LearningOptions options = options_in(request);
  std::string key = fmt::format("{} {} {}", label_type(request) == LabelType::numbers,
                                options.standardise, options.delimiter);
  for (const NamedFiles& files : {options.data, options.test_data}) {
    for (const auto& file : files) key += '\n' + file.string();
    key += '\n';
  }
  key += options.label;
  for (const auto& names : {options.ignore, options.classes}) {
    for (const std::string& name : names) key += '\n' + name;
    key += '\n';
  }
  return names_sites(options.data) ? fmt::format("{}\n{}", key, request.nodes) : key;
}

std::string samples_key(const ProblemRequest& request) {
  const LearningOptions options = options_in(request);
  return fmt::format("{}\n{} {} {} {} {} {} {}", data_key(request), options.split, options.alpha,
                     options.shards, options.validation, options.weighting, request.nodes,
                     request.seed);
}

std::string model_key(const ProblemRequest& request) {
  const LearningOptions options = options_in(request);
  return fmt::format("{}\n{} {} {}", data_key(request), request.kind,
                     fmt::join(options.hidden, " "), options.intercept);
}

std::string optimum_key(const ProblemRequest& request) {
  return fmt::format("{}\n{}\n{}", samples_key(request), model_key(request),
                     options_in(request).l2);
}

}  // namespace driftless
