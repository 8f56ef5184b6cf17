#include "driftless/report/titles.hpp"

#include <filesystem>
#include <map>
#include <set>

#include "driftless/algorithm/registry.hpp"
#include "driftless/base/named.hpp"
#include "driftless/config/key.hpp"

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

namespace {

// The values of a key that names files by their last parts, where no two are called alike.
std::map<std::string, std::string> file_titles(const Comparison& comparison, std::size_t k) {
  std::map<std::string, std::string> titles;
  const Key* key = find_key(comparison.keys[k]);
  if (key == nullptr || !key->names_files()) return titles;
  std::set<std::string> names;
  for (const RunGroup& group : comparison.groups) {
    const std::string& value = group.values[k];
    const std::string name = std::filesystem::path(value).filename().string();
    if (!titles.emplace(value, name).second) continue;
    if (!names.insert(name).second) return {};
  }
  return titles;
}

}  // namespace

nlohmann::ordered_json titles_json(const Comparison& comparison, const Pairs& labels) {
  nlohmann::ordered_json titles;
  for (const AlgorithmKind& kind : algorithm_kinds())
    titles["algorithm.kind"][kind.name] = kind.title;
  for (std::size_t k = 0; k < comparison.keys.size(); ++k) {
    for (const auto& [file, name] : file_titles(comparison, k))
      if (!file.empty()) titles[comparison.keys[k]][file] = name;
  }
  for (const RunGroup& group : comparison.groups) {
    for (std::size_t k = 0; k < comparison.keys.size(); ++k) {
      const auto label = labels.find(group.values[k]);
      if (label != labels.end()) titles[comparison.keys[k]][label->first] = label->second;
    }
  }
  return titles;
}

}  // namespace driftless
