#include "driftless/report/titles.hpp"

#include "driftless/algorithm/registry.hpp"
#include "driftless/base/named.hpp"

namespace driftless {

std::string title_of_key(const std::string& key, const Pairs& labels) {
  const auto label = labels.find(key);
  return label == labels.end() ? std::string(short_key(key)) : label->second;
}

std::string title_of_value(const std::string& key, const std::string& value, const Pairs& labels) {
  const auto label = labels.find(value);
  if (label != labels.end()) return label->second;
  const AlgorithmKind* const method =
      key == "algorithm.kind" ? find_or_null(algorithm_kinds(), value) : nullptr;
  return method == nullptr ? value : method->title;
}

nlohmann::ordered_json titles_json(const Comparison& comparison, const Pairs& labels) {
  nlohmann::ordered_json titles;
  for (const AlgorithmKind& kind : algorithm_kinds())
    titles["algorithm.kind"][kind.name] = kind.title;
  for (const RunGroup& group : comparison.groups) {
    for (std::size_t k = 0; k < comparison.keys.size(); ++k) {
      const auto label = labels.find(group.values[k]);
      if (label != labels.end()) titles[comparison.keys[k]][label->first] = label->second;
    }
  }
  return titles;
}

}  // namespace driftless
