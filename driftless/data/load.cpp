#include "driftless/data/load.hpp"

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/data/cache.hpp"
#include "driftless/data/idx.hpp"
#include "driftless/data/libsvm.hpp"

namespace driftless {

namespace fs = std::filesystem;

LabelledData load_data(const std::string& data, const std::optional<fs::path>& test,
                       const ChooseSamples& choose) {
  const bool mnist = data == "mnist";
  const fs::path path = mnist ? mnist_folder() : fs::path(data);
  if (mnist && !holds_idx(path)) {
    throw DataError(fmt::format("mnist is not in {}: `driftless data fetch mnist` brings it there",
                                path.string()));
  }
  if (!fs::exists(path)) {
    throw DataError(fmt::format(
        "{}: is not there, expected mnist, a folder of IDX files or a LIBSVM file", data));
  }
  if (!fs::is_directory(path)) return read_libsvm(path, test, choose);
  if (test) {
    throw ConfigError(fmt::format("a test file {} beside {}: a folder holds its own test samples",
                                  test->string(), data));
  }
  return read_idx_folder(path, choose);
}

}  // namespace driftless
