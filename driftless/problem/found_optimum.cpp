#include "driftless/problem/found_optimum.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "driftless/base/error.hpp"
#include "driftless/base/file.hpp"
#include "driftless/base/parallel.hpp"
#include "driftless/base/parse_json.hpp"
#include "driftless/base/regular_file.hpp"
#include "driftless/data/load.hpp"
#include "driftless/problem/minimise.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Where this minimum is kept; empty: there is no place for it.
fs::path kept_in(std::uint64_t content) {
  fs::path file;
  const std::string no_place =
      fault_in([&] { file = data_cache() / "optima" / fmt::format("{:016x}.json", content); });
  return no_place.empty() ? file : fs::path();
}

// As it is kept; empty: it is not. A file that is there and cannot be used is an error, since
// whatever damaged it may damage more.
std::string kept(const fs::path& file) {
  if (file.empty() || !fs::exists(file)) return "";
  std::string text = read_file(file);
  const json found = parse_json(text, file.string());
  if (found.is_object() && found.contains("value") && found["value"].is_number() &&
      found.contains("point") && found["point"].is_array()) {
    return text;
  }
  throw DataError("{}: is not a minimum as it was kept; remove the file", file.string());
}

Optimum optimum_in(const std::string& text, Index dim) {
  const json found = json::parse(text);
  const std::vector<double> point = found["point"];
  if (std::ssize(point) != dim) {
    throw DataError(
        "the minimum in the data cache has {} numbers, expected {}; empty its folder optima",
        point.size(), dim);
  }
  return {.point = Eigen::Map<const Vector<double>>(point.data(), dim), .value = found["value"]};
}

// A cache that cannot be written costs the next run some time, and this one nothing.
void keep(const fs::path& file, const Optimum& optimum) {
  if (file.empty()) return;
  const json text{{"value", optimum.value},
                  {"point", std::vector<double>(optimum.point.begin(), optimum.point.end())}};
  try {
    fs::create_directories(file.parent_path());
    write_file_atomically(file, text.dump());
  } catch (const std::system_error&) {
    return;
  }
}

// f and its gradient over all nodes. Collective.
class Objective {
 public:
  Objective(const Problem<double>& problem, NodeRange hosted, const Processes& processes)
      : problem_(problem), hosted_(hosted), processes_(processes) {}

  double operator()(const Vector<double>& x, Vector<double>& g) const {
    const Index dim = problem_.dim();
    const auto stride = static_cast<std::size_t>(dim + 1);  // a node's gradient, and its loss
    std::vector<double> own(static_cast<std::size_t>(hosted_.size()) * stride);
    parallel(hosted_.size(), [&](Index k) {
      const NodeId node = hosted_.first + static_cast<NodeId>(k);
      double* mine = own.data() + static_cast<std::size_t>(k) * stride;
      problem_.full_gradient(node, x, Draw{.node = node}, Eigen::Map<Vector<double>>(mine, dim));
      mine[dim] = problem_.loss(node, x);
    });
    const std::vector<double> all = processes_.gather_doubles(own);
    double value = 0;
    g.setZero(dim);
    for (std::size_t begin = 0; begin < all.size(); begin += stride) {
      g += Eigen::Map<const Vector<double>>(all.data() + begin, dim);
      value += all[begin + stride - 1];
    }
    g /= problem_.nodes();
    return value / problem_.nodes();
  }

 private:
  const Problem<double>& problem_;
  NodeRange hosted_;
  const Processes& processes_;
};

}  // namespace

std::shared_ptr<const Optimum> found_optimum(const Problem<double>& problem, double convexity,
                                             std::uint64_t content, NodeRange hosted,
                                             const Processes& processes, const Notice& notice) {
  const fs::path file = processes.first() ? kept_in(content) : fs::path();
  std::string known;
  processes.agree(fault_in([&] { known = kept(file); }));
  known = processes.broadcast(known);
  if (!known.empty()) return std::make_shared<const Optimum>(optimum_in(known, problem.dim()));

  const Objective objective(problem, hosted, processes);
  const auto progress = [&](int iteration, double gradient_norm) {
    tell(notice,
         fmt::format("seeking the minimum: step {}, gradient {:.1e}", iteration, gradient_norm));
  };
  const Minimum found =
      minimise([&](const Vector<double>& x, Vector<double>& g) { return objective(x, g); },
               Vector<double>::Zero(problem.dim()), {.progress = progress});
  const double above = found.gradient_norm * found.gradient_norm / (2 * convexity);
  if (!(above <= 1e-11 * (1 + std::abs(found.value)))) {
    throw ConfigError(
        "problem.optimum = true: after {} steps f may still be {:.1e} above its minimum; raise "
        "problem.l2 = {}, set problem.standardise = true, or leave problem.optimum out",
        found.iterations, above, convexity);
  }
  Optimum optimum{.point = found.point, .value = found.value};
  keep(file, optimum);
  return std::make_shared<const Optimum>(std::move(optimum));
}

}  // namespace driftless
