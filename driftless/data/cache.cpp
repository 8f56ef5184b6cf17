#include "driftless/data/cache.hpp"

#include <cstdlib>

#include "driftless/base/error.hpp"

namespace driftless {

std::filesystem::path data_cache() {
  const auto variable = [](const char* name) -> std::filesystem::path {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
  };
  if (const auto folder = variable("DRIFTLESS_DATA"); !folder.empty()) return folder;
  if (const auto folder = variable("XDG_CACHE_HOME"); !folder.empty()) return folder / "driftless";
  if (const auto home = variable("HOME"); !home.empty()) return home / ".cache" / "driftless";
  throw ConfigError("where should fetched data go? Set DRIFTLESS_DATA to a folder");
}

std::filesystem::path mnist_folder() { return data_cache() / "mnist"; }

}  // namespace driftless
