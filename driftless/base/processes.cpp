#include "driftless/base/processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "driftless/base/error.hpp"

namespace driftless {

bool Processes::any(bool here) const {
  if (count_ == 1) return here;
  const std::vector<std::string> said = gather(here ? "yes" : "");
  return std::ranges::count(said, "yes") > 0;
}

std::vector<std::int64_t> Processes::gather_numbers(const std::vector<std::int64_t>& own) const {
  if (count_ == 1) return own;
  std::vector<std::int64_t> all;
  for (const std::string& text : gather(fmt::format("{} ", fmt::join(own, " ")))) {
    std::istringstream words(text);
    for (std::int64_t number = 0; words >> number;) all.push_back(number);
  }
  return all;
}

std::vector<double> Processes::gather_doubles(const std::vector<double>& own) const {
  if (count_ == 1) return own;
  std::vector<double> all;
  for (const std::string& bytes :
       gather({reinterpret_cast<const char*>(own.data()), own.size() * sizeof(double)})) {
    const std::size_t before = all.size();
    all.resize(before + bytes.size() / sizeof(double));
    std::memcpy(all.data() + before, bytes.data(), bytes.size());
  }
  return all;
}

std::string Processes::broadcast(std::string text) const {
  return gather(first() ? std::move(text) : std::string()).front();
}

std::optional<Difference> Processes::difference(std::string own) const {
  std::vector<std::string> all = gather(std::move(own));
  const auto odd = std::ranges::find_if(all, [&](const auto& each) { return each != all[0]; });
  if (odd == all.end()) return std::nullopt;
  return Difference{static_cast<int>(odd - all.begin()), std::move(*odd), std::move(all[0])};
}

void Processes::agree(const std::string& fault) const {
  const std::vector<std::string> faults = gather(fault);
  for (std::size_t rank = 0; rank < faults.size(); ++rank) {
    if (faults[rank].empty()) continue;
    throw ConfigError(rank == 0 ? faults[rank] : fmt::format("rank {}: {}", rank, faults[rank]));
  }
}

void Processes::agree(const std::string& fault, std::uint64_t fingerprint) const {
  agree(fault);
  if (const auto odd = difference(std::to_string(fingerprint))) {
    throw ConfigError(
        "rank {} has another config or other data than rank 0; give all machines the same",
        odd->rank);
  }
}

void Processes::abort(int exit_code) const { std::_Exit(exit_code); }

}  // namespace driftless
