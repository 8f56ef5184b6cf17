#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "driftless/base/fingerprint.hpp"
#include "driftless/base/notice.hpp"
#include "driftless/base/option.hpp"
#include "driftless/base/processes.hpp"
#include "driftless/problem/problem.hpp"

namespace driftless {

// Networks are trained in float; convex problems are solved in double, to the last digits.
using AnyProblem = std::variant<std::unique_ptr<Problem<float>>, std::unique_ptr<Problem<double>>>;

// The problem that one run asks for.
struct ProblemRequest {
  std::string kind;
  Settings options;      // of the kind
  NodeId nodes = 0;      // of the run
  NodeRange hosted;      // those of them that this process hosts
  Step local_steps = 1;  // of the method: batches are counted through rounds of so many
  std::uint64_t seed = 1;
};

// Where the problems of a plan come from. What several runs need, files above all, is loaded once.
class ProblemSource : public Interface {
 public:
  // How many nodes the problem's own file asks for; none: any number will do.
  virtual std::optional<NodeId> nodes(const Settings& /*options*/) { return std::nullopt; }
  // Called once, with the requests of all runs: loads what their hosted nodes need. Throws
  // InputError where a request cannot be met, so that every fault shows before anything is written.
  virtual void load(std::span<const ProblemRequest> /*requests*/, const Notice& /*notice*/) {}
  // Called then, once all processes have loaded theirs. Collective: tells the others what must be
  // known of all nodes.
  virtual void exchange(const Processes& /*processes*/, const Notice& /*notice*/) {}
  // Called for every run, from many threads.
  virtual AnyProblem make(const ProblemRequest& request) const = 0;
  // Why the nodes do not all start from one model, as a sentence that can go on; empty: they do.
  virtual std::string different_starts(const ProblemRequest& /*request*/) const { return ""; }
  // All that was loaded and must be the same for every process.
  virtual void add_to(Fingerprint& /*fingerprint*/) const {}
};

// A kind of problem by its config name, with the options it has.
struct ProblemKind {
  std::string name;
  std::string summary;
  bool learns = false;  // from samples
  std::vector<Option> options = {};
  std::string sized_by = {};  // the option that names files which say how many nodes there are
  bool (*sized_where)(const Value&) = nullptr;  // null: wherever it is set
  std::string group = {};  // kinds of one group share one source; empty: a source of its own
  std::function<std::unique_ptr<ProblemSource>()> open;
};

// Our own kinds, and those that were registered. References to them stay good.
const std::deque<ProblemKind>& problem_kinds();

// Adds a kind, as register_algorithm adds a method.
void register_problem(ProblemKind kind);

// Null when there is no such kind.
const ProblemKind* find_problem_kind(std::string_view name);

// What names the files that say how many nodes the problem has; null: nothing does.
const Value* sizing_files(const ProblemKind& kind, const Settings& options);

// A kind whose problems share no files: `make(options, request)` gives a problem for each run, as a
// unique_ptr<Problem<float>> or <double>.
template <class Options, class Make>
ProblemKind problem_kind(const std::string& name, const std::string& summary, const Make& make) {
  struct MadeForEachRun final : ProblemSource {
    explicit MadeForEachRun(const Make& each) : make_each(each) {}
    AnyProblem make(const ProblemRequest& request) const override {
      return make_each(options_of<Options>().read(request.options), request);
    }
    Make make_each;
  };
  return {
      .name = name, .summary = summary, .options = options_of<Options>().list(), .open = [make] {
        return std::make_unique<MadeForEachRun>(make);
      }};
}

}  // namespace driftless
