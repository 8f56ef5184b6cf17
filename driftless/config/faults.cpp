#include "driftless/config/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "driftless/base/error.hpp"

namespace driftless {

void Faults::add(const Place& place, std::string message, std::string_view combination) {
  const auto [entry, is_new] = index_.try_emplace({place.text, message}, faults_.size());
  if (is_new) {
    faults_.push_back({place, std::move(message), std::string(combination), 1});
  } else {
    ++faults_[entry->second].occurrences;
  }
}

void Faults::throw_if_any(std::string_view source_name, int combinations) const {
  if (faults_.empty()) return;
  std::vector<Fault> sorted = faults_;
  std::ranges::stable_sort(sorted, {}, [](const Fault& fault) {
    return fault.place.line > 0 ? fault.place.line : std::numeric_limits<int>::max();
  });
  std::vector<std::string> lines;
  for (const Fault& fault : sorted) {
    std::string line = fmt::format("{}: {}", fault.place.text, fault.message);
    if (!fault.combination.empty() && fault.occurrences < combinations) {
      const int others = fault.occurrences - 1;
      const std::string more =
          others > 0 ? fmt::format("; and {} other combination{}", others, others > 1 ? "s" : "")
                     : "";
      line += fmt::format(" (with {}{})", fault.combination, more);
    }
    lines.push_back(std::move(line));
  }
  if (lines.size() > 1)
    lines.insert(lines.begin(), fmt::format("{} faults in {}", lines.size(), source_name));
  throw ConfigError("{}", fmt::join(lines, "\n"));
}

}  // namespace driftless
