#include "driftless/network/faults.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "driftless/base/error.hpp"
#include "driftless/base/line_reader.hpp"

namespace driftless {
namespace {

constexpr std::int64_t last_round = 4'294'967'294;  // a draw counts rounds in 32 bits
constexpr std::int64_t most_steps = (1 << 24) - 1;  // and steps in 24
constexpr std::int64_t most_rounds_late = 1'000'000;

constexpr bool has_peer(Event event) {
  return event == Event::link_down || event == Event::link_up || event == Event::late;
}
constexpr bool has_value(Event event) { return event == Event::late || event == Event::steps; }

constexpr std::array trace_header{"round", "event", "node", "peer", "value"};

// One trace file on its way.
class TraceReader {
 public:
  TraceReader(const std::filesystem::path& path, NodeId nodes)
      : reader_(path, "#"), nodes_(nodes) {}

  Trace read() {
    if (!reader_.next_cells(cells_) || !std::ranges::equal(cells_, trace_header)) {
      throw DataError("{}: expected the header {}", reader_.place(), fmt::join(trace_header, ","));
    }
    while (reader_.next_cells(cells_)) trace_.push_back(event());
    std::ranges::stable_sort(trace_, {}, &TraceEvent::round);
    check_members();
    return std::move(trace_);
  }

 private:
  TraceEvent event() {
    if (cells_.size() != trace_header.size()) {
      throw DataError("{}: found {} cells, expected {}: {}", reader_.place(), cells_.size(),
                      trace_header.size(), fmt::join(trace_header, ","));
    }
    const auto* named = find_or_null(values_of<Event>, cells_[1]);
    if (named == nullptr) {
      const auto names = names_of(values_of<Event>);
      throw DataError("{}: unknown event \"{}\": expected one of {}{}", reader_.place(),
                      cells_[1].substr(0, 40), fmt::join(names, ", "),
                      suggestion(cells_[1], names));
    }
    TraceEvent read{.round = reader_.integer(cells_[0], 0, last_round),
                    .event = named->value,
                    .node = node(cells_[2]),
                    .line = reader_.line()};
    if (wanted(3, has_peer(read.event))) read.peer = node(cells_[3]);
    if (has_peer(read.event) && read.peer == read.node) {
      throw DataError("{}: node {} has no link to itself", reader_.place(), read.node);
    }
    if (wanted(4, has_value(read.event))) {
      const bool late = read.event == Event::late;
      read.value = reader_.integer(cells_[4], 1, late ? most_rounds_late : most_steps);
    }
    return read;
  }

  NodeId node(std::string_view cell) const {
    return static_cast<NodeId>(reader_.integer(cell, 0, nodes_ - 1));
  }

  // Whether the event has this cell; what it does not have must be left empty.
  bool wanted(std::size_t cell, bool has_it) const {
    if (has_it || cells_[cell].empty()) return has_it;
    throw DataError("{}: {} has no {}; leave it empty", reader_.place(), cells_[1],
                    trace_header[cell]);
  }

  // Who is lost must be there, who comes back must not, and someone must stay.
  void check_members() const {
    std::vector<bool> lost(static_cast<std::size_t>(nodes_));
    NodeId members = nodes_;
    for (const auto& [round, event, node, peer, value, line] : trace_) {
      if (event != Event::crash && event != Event::join) continue;
      const auto at = static_cast<std::size_t>(node);
      const bool crash = event == Event::crash;
      if (lost[at] == crash) {
        throw DataError("{}:{}: node {} is {} already", reader_.name(), line, node,
                        crash ? "lost" : "a member");
      }
      if (crash && members == 1) {
        throw DataError("{}:{}: node {} is the last member; a network of none cannot go on",
                        reader_.name(), line, node);
      }
      lost[at] = crash;
      members += crash ? -1 : 1;
    }
  }

  LineReader reader_;
  NodeId nodes_;
  std::vector<std::string_view> cells_;
  Trace trace_;
};

}  // namespace

void FaultOptions::describe(OptionsOf<FaultOptions>& options) {
  using F = FaultOptions;
  const auto share = [&](std::string name, auto field, std::string doc) -> Option& {
    return options.add(std::move(name), field, std::move(doc)).at_least(0).at_most(1);
  };
  share("drop", &F::drop, "share of the links that are down in a round, both ways");
  options.add("burst", &F::burst, "mean rounds of an outage; 1: every round by itself").at_least(1);
  share("pause", &F::pause, "chance that a node pauses in a round; it keeps its state");
  options.add("pause_rounds", &F::pause_rounds, "mean rounds of a pause").at_least(1);
  share("crash", &F::crash, "chance that a node is lost in a round, with all it had");
  options
      .add("join_after", &F::join_after,
           "rounds until a lost node comes back empty-handed (default: never)")
      .at_least(1);
  share("late", &F::late, "share of the letters that come late");
  options.add("late_rounds", &F::late_rounds, "by at most so many rounds")
      .at_least(1)
      .at_most(static_cast<double>(most_rounds_late));
  share("slow", &F::slow, "share of the nodes that do fewer local steps in a round");
  options.add("fewest_steps", &F::fewest_steps, "that such a node does").at_least(1);
  options.add("trace", &F::trace, "a file of exact events: round,event,node,peer,value");
  options.add("seed", &F::seed, "of the weather; repetition k uses seed + k - 1").at_least(0);
}

Trace read_trace(const std::filesystem::path& path, NodeId nodes) {
  return TraceReader(path, nodes).read();
}

void check_trace_links(const Trace& trace, std::string_view name,
                       FunctionRef<bool(NodeId, NodeId)> linked) {
  for (const TraceEvent& each : trace) {
    if (!has_peer(each.event) || linked(each.node, each.peer)) continue;
    throw ConfigError("{}:{}: {} of nodes {} and {}, but the network has no such link", name,
                      each.line, name_of(each.event), each.node, each.peer);
  }
}

}  // namespace driftless
