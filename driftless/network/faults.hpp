#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "driftless/base/named.hpp"
#include "driftless/base/option.hpp"
#include "driftless/graph/mixing_matrix.hpp"

namespace driftless {

// [faults] of a config: what goes wrong on a network, and how often. All of it is drawn by name, so
// that one seed gives every method the same weather.
struct FaultOptions {
  double drop = 0;                       // share of the links that are down in a round, both ways
  double burst = 1;                      // mean rounds of an outage
  double pause = 0;                      // chance that a node pauses in a round
  double pause_rounds = 1;               // mean rounds of a pause
  double crash = 0;                      // chance that a node is lost in a round
  std::optional<Round> join_after = {};  // rounds until it comes back; unset: never
  double late = 0;                       // share of the letters that come late
  Round late_rounds = 1;                 // by at most so many rounds
  double slow = 0;                       // share of the nodes that do fewer steps in a round
  Step fewest_steps = 1;                 // that such a node does
  std::filesystem::path trace = {};      // exact events
  std::uint64_t seed = 1;

  // Whether anything goes wrong, or may.
  bool any() const {
    return drop > 0 || pause > 0 || crash > 0 || late > 0 || slow > 0 || !trace.empty();
  }
  bool operator==(const FaultOptions&) const = default;
  static void describe(OptionsOf<FaultOptions>& options);
};

// What happens in a trace, before the local work of its round. Lateness and steps hold for that
// round alone, all else until it is undone.
enum class Event { link_down, link_up, pause, resume, crash, join, late, steps };
template <>
inline constexpr auto values_of<Event> = std::to_array<Named<Event>>({
    {Event::link_down, "link_down", "the link of node and peer carries nothing, either way"},
    {Event::link_up, "link_up", "… and carries letters again"},
    {Event::pause, "pause", "the node does nothing and keeps its state"},
    {Event::resume, "resume", "… and goes on"},
    {Event::crash, "crash", "the node is lost with all it had"},
    {Event::join, "join", "… and comes back empty-handed"},
    {Event::late, "late", "the node's letter to peer comes `value` rounds late"},
    {Event::steps, "steps", "the node does `value` local steps"},
});

struct TraceEvent {
  Round round = 0;
  Event event = Event::link_down;
  NodeId node = 0;
  NodeId peer = 0;         // of link_down, link_up and late
  std::int64_t value = 0;  // of late and steps
  std::int64_t line = 0;   // of the file

  bool operator==(const TraceEvent&) const = default;
};

// Events in the order in which they happen.
using Trace = std::vector<TraceEvent>;

// Reads a CSV file with the header round,event,node,peer,value; fields that an event does not have
// are empty. Throws DataError with the file and the line: for what is no event, a node that there
// is not, a lost node that is lost again or a member that joins, and for the loss of the last node.
Trace read_trace(const std::filesystem::path& path, NodeId nodes);

// Throws ConfigError where an event names two nodes that `linked` does not know as neighbours.
void check_trace_links(const Trace& trace, std::string_view name,
                       FunctionRef<bool(NodeId, NodeId)> linked);

}  // namespace driftless
