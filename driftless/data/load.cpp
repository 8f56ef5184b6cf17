#include "driftless/data/load.hpp"

#include <cstdlib>

#include "driftless/base/error.hpp"
#include "driftless/data/idx.hpp"
#include "driftless/data/libsvm.hpp"

namespace driftless {

namespace fs = std::filesystem;

fs::path data_cache() {
  const auto variable = [](const char* name) -> fs::path {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
  };
  if (auto folder = variable("DRIFTLESS_DATA"); !folder.empty()) return folder;
  if (const auto folder = variable("XDG_CACHE_HOME"); !folder.empty()) return folder / "driftless";
  if (const auto home = variable("HOME"); !home.empty()) return home / ".cache" / "driftless";
  throw ConfigError("where should fetched data go? Set DRIFTLESS_DATA to a folder");
}

fs::path mnist_folder() { return data_cache() / "mnist"; }

std::vector<fs::path> data_files(const std::string& data) {
  const fs::path path = data == "mnist" ? mnist_folder() : fs::path(data);
  return fs::is_directory(path) ? idx_files(path) : std::vector{path};
}

LabelledData load_data(const std::string& data, const std::optional<fs::path>& test,
                       const ChooseSamples& choose) {
  const bool mnist = data == "mnist";
  const fs::path path = mnist ? mnist_folder() : fs::path(data);
  if (mnist && !holds_idx(path)) {
    throw DataError("mnist is not in {}: `driftless data fetch mnist` brings it there",
                    path.string());
  }
  if (!fs::exists(path)) {
    throw DataError("{}: is not there, expected mnist, a folder of IDX files or a LIBSVM file",
                    data);
  }
  if (!fs::is_directory(path)) return read_libsvm(path, test, choose);
  if (test) {
    throw ConfigError("a test file {} beside {}: a folder holds its own test samples",
                      test->string(), data);
  }
  return read_idx_folder(path, choose);
}

}  // namespace driftless
