#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "driftless/base/error.hpp"
#include "driftless/problem/least_squares.hpp"
#include "driftless/problem/own_kinds.hpp"

namespace driftless {
namespace {

struct LeastSquaresOptions {
  std::filesystem::path file = {};
  Index dim = 50;
  double heterogeneity = 1.0;
  double noise = 1.0;

  static void describe(OptionsOf<LeastSquaresOptions>& options) {
    using L = LeastSquaresOptions;
    const Option::Replacement file{.option = "file"};
    options.add("file", &L::file, "a JSON problem instead of a synthetic one, seen from this file");
    options.add("dim", &L::dim, "d, the parameters of the model")
        .at_least(1)
        .at_most(1e9)
        .unless_given(file);
    options.add("heterogeneity", &L::heterogeneity, "zeta^2, how much the nodes' data differ")
        .at_least(0)
        .unless_given(file);
    options.add("noise", &L::noise, "sigma^2, the total variance of one stochastic gradient")
        .at_least(0);
  }
};

LeastSquaresOptions options_in(const Settings& settings) {
  return options_of<LeastSquaresOptions>().read(settings);
}

// The models and the problem alone, two vectors a node: a request beyond that is a slip of the pen.
void check_memory(const ProblemRequest& request, Index dim) {
  const double needed =
      2.0 * sizeof(double) * static_cast<double>(dim) * static_cast<double>(request.hosted.size());
  const double there =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (needed <= there) return;
  throw ConfigError(
      "problem.dim = {} on {} nodes takes at least {:.0f} GB of memory, but this "
      "machine has {:.0f}; choose fewer of either",
      dim, request.hosted.size(), needed / 1e9, there / 1e9);
}

class LeastSquaresSource final : public ProblemSource {
 public:
  std::optional<NodeId> nodes(const Settings& options) override {
    const std::filesystem::path file = options_in(options).file;
    if (file.empty()) return std::nullopt;
    if (!files_.contains(file.string())) files_.emplace(file.string(), read(file));
    return static_cast<NodeId>(files_.at(file.string()).data.A.size());
  }

  // Of a file, only the rows of hosted nodes are kept.
  void load(std::span<const ProblemRequest> requests, const Notice&) override {
    for (const ProblemRequest& request : requests) {
      const LeastSquaresOptions options = options_in(request.options);
      if (options.file.empty()) {
        check_memory(request, options.dim);
      } else {
        drop_rows(files_.at(options.file.string()).data, request.hosted);
      }
    }
  }

  AnyProblem make(const ProblemRequest& request) const override {
    const LeastSquaresOptions options = options_in(request.options);
    if (!options.file.empty()) {
      return make_least_squares<double>(files_.at(options.file.string()).data, options.noise);
    }
    return make_synthetic_least_squares<double>({.nodes = request.nodes,
                                                 .dim = options.dim,
                                                 .heterogeneity = options.heterogeneity,
                                                 .noise = options.noise,
                                                 .seed = request.seed,
                                                 .hosted = request.hosted});
  }

  std::string different_starts(const ProblemRequest& request) const override {
    const std::filesystem::path file = options_in(request.options).file;
    if (file.empty()) return "";
    const auto& starts = files_.at(file.string()).data.x0;
    const auto differs = [&](const Vector<double>& start) { return start != starts.front(); };
    if (std::ranges::none_of(starts, differs)) return "";
    return fmt::format("{}: x0: the nodes start from different points", file.string());
  }

  void add_to(Fingerprint& fingerprint) const override {
    for (const auto& [name, file] : files_) fingerprint.add_number(file.fingerprint);
  }

 private:
  struct ProblemFile {
    LeastSquaresData data;
    std::uint64_t fingerprint = 0;  // of all of the file
  };

  static ProblemFile read(const std::filesystem::path& file) {
    ProblemFile loaded{.data = read_least_squares(file)};
    Fingerprint all;
    for (const auto& A : loaded.data.A) all.add_numbers(A);
    for (const auto& b : loaded.data.b) all.add_numbers(b);
    for (const auto& start : loaded.data.x0) all.add_numbers(start);
    loaded.fingerprint = all.value();
    solve(loaded.data);
    return loaded;
  }

  static void drop_rows(LeastSquaresData& data, NodeRange hosted) {
    for (NodeId i = 0; i < std::ssize(data.A); ++i) {
      if (hosted.contains(i)) continue;
      auto& A = data.A[static_cast<std::size_t>(i)];
      A.resize(0, A.cols());
      data.b[static_cast<std::size_t>(i)].resize(0);
    }
  }

  std::map<std::string, ProblemFile> files_;
};

}  // namespace

ProblemKind least_squares_kind() {
  return {
      .name = "least_squares",
      .summary = "f_i(x) = 1/2 |A_i x - b_i|^2: the paper's synthetic one, or from problem.file",
      .options = options_of<LeastSquaresOptions>().list(),
      .sized_by = "file",
      .open = [] { return std::make_unique<LeastSquaresSource>(); }};
}

}  // namespace driftless
