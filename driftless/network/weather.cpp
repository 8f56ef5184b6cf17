#include "driftless/network/weather.hpp"

#include <algorithm>
#include <tuple>

#include "driftless/base/random.hpp"

namespace driftless {
namespace {

// Draws of a link name both its nodes, those of a node itself have step 0, and the server is a node
// beyond all others.
Draw link_draw(std::uint64_t seed, NodeId a, NodeId b, Round t) {
  return {seed, std::min(a, b), t, std::max(a, b)};
}
Draw node_draw(std::uint64_t seed, NodeId i, Round t) { return {seed, i, t, 0}; }
Draw server_draw(std::uint64_t seed, NodeId i, Round t) { return {seed, i, t, (1 << 24) - 1}; }

// The places of the numbers in such a draw.
enum LinkNumber {
  is_down,
  is_renewed,
  late_upwards,
  rounds_upwards,
  late_downwards,
  rounds_downwards
};
enum NodeNumber { is_paused, pause_is_renewed, is_lost, is_slow, step_count };

double number_of(const Draw& draw, std::uint64_t place) {
  return uniform(draw, Purpose::weather, place);
}

// Outages that last: in a round that is `renewed`, which is one with that chance, it is decided
// anew whether a thing is out, with chance `share`; in all others it stays as it was. So whether it
// is out in round t is known from the latest such round, without any memory.
struct Outages {
  double share = 0;
  double renewed = 1;
};

// The share that is out and the mean length of one outage are given. What follows on another outage
// at once counts as one more.
Outages link_outages(double share, double rounds) {
  return {share, 1 / (rounds * (1 - share) + share)};
}

// The chance that an outage begins and its mean length are given.
Outages node_outages(double begins, double rounds) {
  const double renewed = begins + (1 - begins) / rounds;
  return {renewed > 0 ? begins / renewed : 0, renewed};
}

// The latest round up to that of the draw in which it was decided anew; −1: none. What is known of
// earlier rounds need not be drawn again.
Round latest_renewal(Draw draw, std::uint64_t place, double chance, Renewal& known) {
  const Round now = draw.round;
  for (; draw.round > known.seen; --draw.round) {
    if (chance < 1 && number_of(draw, place) >= chance) continue;
    known.latest = draw.round;
    break;
  }
  known.seen = now;
  return known.latest;
}

// What comes and goes was decided on before the first round, which is as good as in it.
bool is_out(Draw draw, const Outages& outages, Renewal& known) {
  draw.round = std::max<Round>(latest_renewal(draw, is_renewed, outages.renewed, known), 0);
  return number_of(draw, is_down) < outages.share;
}

auto asked_by(const TraceEvent& each) {
  return std::tuple(each.round, each.event, each.node, each.peer);
}

}  // namespace

Weather::Weather(std::shared_ptr<const LinkSequence> links, const FaultOptions& options,
                 Trace trace)
    : links_(std::move(links)),
      options_(options),
      trace_(std::move(trace)),
      nodes_crash_(options.crash > 0 || traced({Event::crash})),
      letters_late_(options.late > 0 || traced({Event::late})),
      steps_differ_(options.slow > 0 || traced({Event::steps})),
      links_change_(links_->period() != 1 || options.drop > 0 || options.pause > 0 ||
                    nodes_crash_ || traced({Event::link_down, Event::pause})),
      node_renewals_(static_cast<std::size_t>(links_->nodes())),
      paused_by_trace_(static_cast<std::size_t>(links_->nodes())),
      up_(static_cast<std::size_t>(links_->nodes()), 1),
      lost_(static_cast<std::size_t>(links_->nodes())),
      members_(links_->nodes()) {
  std::ranges::copy_if(trace_, std::back_inserter(of_one_round_), [](const TraceEvent& each) {
    return each.event == Event::late || each.event == Event::steps;
  });
  std::ranges::stable_sort(of_one_round_, {}, asked_by);
}

bool Weather::traced(std::initializer_list<Event> events) const {
  return std::ranges::any_of(trace_, [&](const TraceEvent& each) {
    return std::ranges::find(events, each.event) != events.end();
  });
}

std::vector<Weather::Change> Weather::begin(Round t) {
  std::vector<Change> changes;
  advance(t, changes);
  for (const Change& change : changes) ++(change.lost ? counts_.crashes : counts_.joins);
  for (NodeId i = 0; i < nodes(); ++i) counts_.pauses += is_member(i) && !is_up(i) ? 1 : 0;
  find_links();
  return changes;
}

void Weather::restart() {
  Trace trace = std::move(trace_);
  *this = Weather(links_, options_, std::move(trace));
}

void Weather::resume(Round rounds) {
  if (rounds <= round_) restart();
  std::vector<Change> past;
  if (trace_.empty() && options_.crash == 0) {
    round_ = rounds - 1;
  } else {
    while (round_ + 1 < rounds) advance(round_ + 1, past);
  }
}

// Who pauses comes first, then what the trace tells, in its order, then crashes and returns that
// are drawn.
void Weather::advance(Round t, std::vector<Change>& changes) {
  round_ = t;
  const Outages pauses = node_outages(options_.pause, options_.pause_rounds);
  for (NodeId i = 0; i < nodes() && options_.pause > 0; ++i) {
    const auto at = static_cast<std::size_t>(i);
    Draw draw = node_draw(options_.seed, i, t);
    draw.round = latest_renewal(draw, pause_is_renewed, pauses.renewed, node_renewals_[at]);
    up_[at] = draw.round >= 0 && number_of(draw, is_paused) < pauses.share ? 0 : 1;
  }
  for (; next_ < trace_.size() && trace_[next_].round <= t; ++next_) apply(trace_[next_], changes);
  if (options_.crash > 0) draw_crashes(changes);
  std::erase_if(joining_, [&](const auto& each) {
    return each.second <= round_ && greet(each.first, changes);
  });
}

void Weather::apply(const TraceEvent& event, std::vector<Change>& changes) {
  const Pair link{std::min(event.node, event.peer), std::max(event.node, event.peer)};
  switch (event.event) {
    case Event::link_down:
      down_.insert(link);
      break;
    case Event::link_up:
      down_.erase(link);
      break;
    case Event::pause:
    case Event::resume:
      paused_by_trace_[static_cast<std::size_t>(event.node)] = event.event == Event::pause ? 1 : 0;
      break;
    case Event::crash:
      lose(event.node, changes);
      break;
    case Event::join:
      if (is_member(event.node)) break;  // as it is if a drawn return came first
      if (greet(event.node, changes)) {
        joining_.erase(event.node);
      } else {
        joining_[event.node] = round_;
      }
      break;
    case Event::late:
    case Event::steps:
      break;  // looked up when a letter is sent and when a step is done
  }
}

void Weather::draw_crashes(std::vector<Change>& changes) {
  for (NodeId i = 0; i < nodes(); ++i) {
    if (number_of(node_draw(options_.seed, i, round_), is_lost) >= options_.crash) continue;
    if (lose(i, changes) && options_.join_after) joining_[i] = round_ + *options_.join_after;
  }
}

// False where the node is lost already, or the last.
bool Weather::lose(NodeId node, std::vector<Change>& changes) {
  if (!is_member(node) || members_ == 1) return false;
  lost_[static_cast<std::size_t>(node)] = 1;
  --members_;
  changes.push_back({.node = node});
  return true;
}

// The lost node joins by its lowest neighbour whose link carries; false where there is none.
bool Weather::greet(NodeId node, std::vector<Change>& changes) {
  find_all_links();
  char& lost = lost_[static_cast<std::size_t>(node)];
  lost = 0;
  for (const NodeId j : all_links_.row(node).nodes) {
    Renewal unknown;
    if (j == node || !carries(node, j, unknown)) continue;
    ++members_;
    changes.push_back({.node = node, .lost = false, .from = j});
    return true;
  }
  lost = 1;
  return false;
}

bool Weather::is_up(NodeId i) const {
  const auto at = static_cast<std::size_t>(i);
  return lost_[at] == 0 && paused_by_trace_[at] == 0 && up_[at] != 0;
}

bool Weather::is_drawn_down(NodeId a, NodeId b, Renewal& known) const {
  return options_.drop > 0 && is_out(link_draw(options_.seed, a, b, round_),
                                     link_outages(options_.drop, options_.burst), known);
}

bool Weather::carries(NodeId a, NodeId b, Renewal& known) const {
  return is_up(a) && is_up(b) && !down_.contains({std::min(a, b), std::max(a, b)}) &&
         !is_drawn_down(a, b, known);
}

void Weather::find_all_links() {
  if (links_found_ == round_ || (links_->period() == 1 && links_found_ >= 0)) return;
  links_->links(round_, all_links_);
  links_found_ = round_;
}

// Each link is looked at once, from its lower node: the higher one's row finds the answer where the
// lower one's cursor stands, for both go through their neighbours in ascending order.
void Weather::find_links() {
  if (links_found_ >= 0 && !links_change_) return;
  find_all_links();
  links_of_members_ = links_that_carry_ = 0;
  clear_rows(up_links_);
  // Where links come again, what was found of their outages need not be found again.
  const bool remembers = options_.burst > 1 && options_.drop > 0 && links_->period() > 0;
  std::vector<Renewal> forgotten;
  std::vector<Renewal>& renewals =
      remembers ? link_renewals_[round_ % links_->period()] : forgotten;
  renewals.resize((all_links_.nodes.size() - static_cast<std::size_t>(nodes())) / 2);
  auto known = renewals.begin();
  std::vector<char> carried(all_links_.nodes.size());
  std::vector<std::size_t> cursor(static_cast<std::size_t>(nodes()));
  for (NodeId i = 0; i < nodes(); ++i) {
    const auto end = all_links_.start[static_cast<std::size_t>(i) + 1];
    double own = 0;
    std::size_t diagonal = 0;
    for (std::size_t k = all_links_.start[static_cast<std::size_t>(i)]; k < end; ++k) {
      const NodeId j = all_links_.nodes[k];
      const double weight = all_links_.weights[k];
      if (j == i) {
        own += weight;
        diagonal = up_links_.nodes.size();
        up_links_.add(i, 0);
        cursor[static_cast<std::size_t>(i)] = k + 1;
        continue;
      }
      if (j > i) {
        carried[k] = carries(i, j, *known++) ? 1 : 0;
        if (is_member(i) && is_member(j)) ++links_of_members_;
        links_that_carry_ += carried[k];
        if (is_up(i) && is_up(j) && carried[k] == 0) ++counts_.drops;
      } else {
        carried[k] = carried[cursor[static_cast<std::size_t>(j)]++];
      }
      if (carried[k] != 0) {
        up_links_.add(j, weight);
      } else {
        own += weight;
      }
    }
    up_links_.weights[diagonal] = own;
    up_links_.end_row();
  }
}

double Weather::links_up() const {
  return links_of_members_ == 0
             ? 1.0
             : static_cast<double>(links_that_carry_) / static_cast<double>(links_of_members_);
}

bool Weather::reaches_server(NodeId i) const {
  if (!is_up(i)) return false;
  if (options_.drop == 0 || round_ < 0) return true;
  Renewal unknown;
  return !is_out(server_draw(options_.seed, i, round_), link_outages(options_.drop, options_.burst),
                 unknown);
}

// Of two events that say the same thing the first counts.
const TraceEvent* Weather::told(Event event, NodeId node, NodeId peer) const {
  const auto asked = std::tuple(round_, event, node, peer);
  const auto found = std::ranges::lower_bound(of_one_round_, asked, {}, asked_by);
  return found != of_one_round_.end() && asked_by(*found) == asked ? &*found : nullptr;
}

Round Weather::lateness(NodeId from, NodeId to) const {
  if (const TraceEvent* event = told(Event::late, from, to)) return event->value;
  if (options_.late == 0) return 0;
  const Draw draw = link_draw(options_.seed, from, to, round_);
  const bool upwards = from < to;
  if (number_of(draw, upwards ? late_upwards : late_downwards) >= options_.late) return 0;
  return 1 + uniform_below(static_cast<std::uint32_t>(options_.late_rounds), draw, Purpose::weather,
                           upwards ? rounds_upwards : rounds_downwards);
}

void Weather::count_late_letters() {
  if (!letters_late_) return;
  for (NodeId i = 0; i < nodes(); ++i) {
    for (const NodeId j : up_links_.row(i).nodes) {
      if (j != i && lateness(j, i) > 0) ++counts_.late_letters;
    }
  }
}

Step Weather::steps(NodeId i, Step all) const {
  if (round_ < 0) return all;  // before the first round
  if (const TraceEvent* event = told(Event::steps, i, 0)) return static_cast<Step>(event->value);
  if (options_.slow == 0 || options_.fewest_steps >= all) return all;
  const Draw draw = node_draw(options_.seed, i, round_);
  if (number_of(draw, is_slow) >= options_.slow) return all;
  const auto choices = static_cast<std::uint32_t>(all - options_.fewest_steps);
  return options_.fewest_steps +
         static_cast<Step>(uniform_below(choices, draw, Purpose::weather, step_count));
}

}  // namespace driftless
