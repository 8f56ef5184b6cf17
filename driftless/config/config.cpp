#include "driftless/config/config.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/config/schema.hpp"
#include "driftless/problem/kinds.hpp"

namespace driftless {

bool learns(const ProblemConfig& problem) {
  const auto kind = std::ranges::find(problem_kinds, problem.kind, &ProblemKind::name);
  return kind != problem_kinds.end() && kind->learns;
}

std::string to_toml(const ExperimentConfig& config) {
  std::string text;
  std::string_view section;
  for (const Key& key : config_keys()) {
    const std::optional<Value> value = key.value_in(config);
    if (!value || !why_inapplicable(key, config).empty()) continue;
    if (key.section() != section) {
      section = key.section();
      text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", section);
    }
    const std::string line = fmt::format("{} = {}", key.short_name(), toml_literal(*value));
    text += fmt::format("{:<34} # {}\n", line, key.doc);
  }
  return text;
}

}  // namespace driftless
