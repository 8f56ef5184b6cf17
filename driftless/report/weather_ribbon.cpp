#include "driftless/report/weather_ribbon.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "driftless/base/error.hpp"

namespace driftless {
namespace {

// About how many draws it takes to pass a round by, to look at it after the one before, and to look
// at it after a leap over many.
struct Effort {
  double pass = 0;
  double look = 0;
  double leap = 0;
};

Effort effort_of(const LinkSequence& links, const FaultOptions& faults, Round rounds) {
  WeightRows first;
  links.links(0, first);
  const double nodes = links.nodes();
  const auto entries = static_cast<double>(first.nodes.size());
  // What lasts for long was drawn long ago.
  const auto draws = [&](double chance, double mean_rounds) {
    return chance > 0 ? std::min(mean_rounds, static_cast<double>(rounds)) : 0.0;
  };
  Effort effort;
  effort.pass = 1 + nodes * ((faults.pause > 0 ? 2 : 0) + (faults.crash > 0 ? 1 : 0));
  effort.look = effort.pass + entries * (faults.drop > 0 ? 1.5 : 0.5);
  effort.leap = effort.look + nodes * draws(faults.pause, faults.pause_rounds) +
                entries / 2 * draws(faults.drop, faults.burst);
  return effort;
}

// What is seen of a node, column by column, without those in which it is up.
struct SeenNode {
  struct Column {
    std::size_t number = 0;
    int paused = 0;  // at so many of the column's looks
    int lost = 0;
    bool joins = false;
  };
  std::vector<Column> columns;
  std::int64_t looks_out = 0;
  bool lost = false;  // at the last look

  void look(const Weather& weather, NodeId i, std::size_t column) {
    const bool up = weather.is_up(i);
    const bool joins = lost && weather.is_member(i);
    lost = !weather.is_member(i);
    if (up && !joins) return;
    if (columns.empty() || columns.back().number != column) columns.push_back({.number = column});
    columns.back().lost += lost ? 1 : 0;
    columns.back().paused += !up && !lost ? 1 : 0;
    columns.back().joins |= joins;
    looks_out += up ? 0 : 1;
  }
};

void check_met(const Weather& weather, const Metrics& row) {
  const bool same = (!row.members || *row.members == weather.members()) &&
                    (!row.links_up || std::abs(*row.links_up - weather.links_up()) < 1e-9);
  if (same) return;
  throw DataError(
      "by round {} the run met other weather than its config gives now: a file that the config "
      "names has changed, or another version of the program drew it",
      row.round);
}

// Up from 0, so that what was there is seen.
char digit(int some, int all) { return static_cast<char>('0' + (9 * some + all - 1) / all); }

RibbonLine line_of(NodeId node, const SeenNode& seen, const std::vector<int>& looks) {
  RibbonLine line{.node = node,
                  .paused = std::string(looks.size(), '0'),
                  .lost = std::string(looks.size(), '0'),
                  .joins = {}};
  for (const auto& [column, paused, lost, joins] : seen.columns) {
    line.paused[column] = digit(paused, looks[column]);
    line.lost[column] = digit(lost, looks[column]);
    if (joins) line.joins.push_back(column);
  }
  return line;
}

std::vector<NodeId> shown_nodes(const std::vector<SeenNode>& seen, NodeId out, std::size_t room) {
  std::vector<NodeId> nodes(seen.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  if (out == 0) return {};
  if (nodes.size() <= room) return nodes;
  std::ranges::stable_sort(nodes, std::greater(), [&](NodeId i) { return seen[i].looks_out; });
  nodes.resize(std::min<std::size_t>(room, out));
  std::ranges::sort(nodes);
  return nodes;
}

}  // namespace

WeatherRibbon weather_ribbon(const std::shared_ptr<const LinkSequence>& links,
                             const FaultOptions& faults, const Trace& trace,
                             std::span<const Metrics> met, const RibbonRoom& room) {
  WeatherRibbon ribbon;
  ribbon.nodes = links->nodes();
  ribbon.rounds = met.back().round;
  if (ribbon.rounds <= 0) return ribbon;
  const Effort effort = effort_of(*links, faults, ribbon.rounds);
  const auto within = [&](double draws_a_round) {
    const auto all = static_cast<double>(ribbon.rounds);
    return static_cast<Round>(std::clamp(room.draws / 2 / draws_a_round, 1.0, all));
  };
  // Who is lost, and what a trace tells, follows from all rounds before.
  if (faults.crash > 0 || !trace.empty()) ribbon.rounds = within(effort.pass);
  ribbon.looked_at = within(effort.look);
  if (ribbon.looked_at < ribbon.rounds) {
    constexpr Round fewest = 50;  // that tell how it went on
    const Round apart = within(effort.leap);
    if (apart < fewest) ribbon.rounds = ribbon.looked_at;
    if (apart >= fewest) ribbon.looked_at = apart;
  }
  const auto columns = std::min(room.columns, static_cast<std::size_t>(ribbon.looked_at));

  Weather weather(links, faults, trace);
  std::vector<SeenNode> seen(static_cast<std::size_t>(ribbon.nodes));
  std::vector<int> looks(columns);
  ribbon.links_down.resize(columns);
  auto row = met.begin();
  Round next = 0;
  for (Round look = 0; look < ribbon.looked_at; ++look) {
    const Round t = ((look + 1) * ribbon.rounds - 1) / ribbon.looked_at;
    if (t > next) weather.resume(t);
    weather.begin(t);
    next = t + 1;
    row = std::find_if(row, met.end(), [&](const Metrics& each) { return each.round > t; });
    if (row != met.end() && row->round == t + 1) check_met(weather, *row);
    const std::size_t column = static_cast<std::size_t>(look) * columns / ribbon.looked_at;
    ++looks[column];
    ribbon.links_down[column] += 1 - weather.links_up();
    for (NodeId i = 0; i < ribbon.nodes; ++i) seen[i].look(weather, i, column);
  }
  for (std::size_t c = 0; c < columns; ++c) ribbon.links_down[c] /= looks[c];
  ribbon.nodes_out = static_cast<NodeId>(
      std::ranges::count_if(seen, [](const SeenNode& node) { return node.looks_out > 0; }));
  for (const NodeId i : shown_nodes(seen, ribbon.nodes_out, room.lines))
    ribbon.lines.push_back(line_of(i, seen[i], looks));
  return ribbon;
}

}  // namespace driftless
