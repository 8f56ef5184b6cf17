#include "driftless/problem/registry.hpp"

#include "driftless/base/named.hpp"
#include "driftless/problem/own_kinds.hpp"

namespace driftless {
namespace {

std::deque<ProblemKind>& every_kind() {
  static std::deque<ProblemKind> kinds = [] {
    std::deque<ProblemKind> all{least_squares_kind()};
    for (ProblemKind& kind : learning_kinds()) all.push_back(std::move(kind));
    return all;
  }();
  return kinds;
}

}  // namespace

const std::deque<ProblemKind>& problem_kinds() { return every_kind(); }

void register_problem(ProblemKind kind) {
  if (kind.name.empty()) throw ConfigError("a problem needs a name to be registered by");
  if (find_problem_kind(kind.name)) {
    throw ConfigError("there is a problem \"{}\" already", kind.name);
  }
  for (const ProblemKind& other : every_kind()) {
    check_described_alike(kind.name, kind.options, other.name, other.options);
  }
  every_kind().push_back(std::move(kind));
}

const ProblemKind* find_problem_kind(std::string_view name) {
  return find_or_null(every_kind(), name);
}

const Value* sizing_files(const ProblemKind& kind, const Settings& options) {
  const auto named = options.find(kind.sized_by);
  if (named == options.end()) return nullptr;
  return kind.sized_where == nullptr || kind.sized_where(named->second) ? &named->second : nullptr;
}

}  // namespace driftless
