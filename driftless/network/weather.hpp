#pragma once

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "driftless/graph/link_sequence.hpp"
#include "driftless/network/faults.hpp"

namespace driftless {

// What went wrong so far.
struct FaultCounts {
  std::int64_t drops = 0;   // links that were down, summed over the rounds
  std::int64_t pauses = 0;  // nodes that paused, summed over the rounds
  std::int64_t crashes = 0;
  std::int64_t joins = 0;
  std::int64_t late_letters = 0;

  bool operator==(const FaultCounts&) const = default;
};

// When it was last decided anew whether a thing that comes and goes is out, as far as rounds have
// been looked at; −1: never.
struct Renewal {
  Round seen = -1;
  Round latest = -1;
};

// Who and what is up in each round: drawn by name or told by a trace, hence a pure function of the
// round, which every process knows without a word.
class Weather {
 public:
  Weather(std::shared_ptr<const LinkSequence> links, const FaultOptions& options, Trace trace = {});

  NodeId nodes() const { return links_->nodes(); }

  // Whether other links than those of the sequence's round 0 may carry letters in some round.
  bool links_change() const { return links_change_; }
  // Whether a letter may be used in another round than its own, or its sender be lost.
  bool letters_wait() const { return letters_late_ || nodes_crash_; }
  bool nodes_crash() const { return nodes_crash_; }
  bool steps_differ() const { return steps_differ_; }

  // A node that is lost, or that joins and begins with the model of `from`.
  struct Change {
    NodeId node = 0;
    bool lost = true;
    NodeId from = 0;
  };
  // Goes on to round t, the one after that of the last call, and tells who goes and comes. A node
  // that none of its neighbours can greet joins when one can; the last member is never lost.
  std::vector<Change> begin(Round t);
  void restart();  // before round 0 again, nothing counted
  // The same where a run is resumed after that many rounds: what happened before is known.
  void resume(Round rounds);

  // Of the round that began last. W_t without what is down: a weight that carries nothing goes back
  // to the diagonals of both ends, so W_t stays symmetric with rows that sum to 1.
  const WeightRows& links() const { return up_links_; }
  double links_up() const;  // share of the links between members
  bool is_member(NodeId i) const { return !lost_[static_cast<std::size_t>(i)]; }
  NodeId members() const { return members_; }
  bool is_up(NodeId i) const;
  bool reaches_server(NodeId i) const;
  Round lateness(NodeId from, NodeId to) const;  // of the letter; 0: it is prompt
  Step steps(NodeId i, Step all) const;          // that the node does, where others do `all`

  // So far. Letters that come late are counted by who sends them.
  const FaultCounts& counts() const { return counts_; }
  void set_counts(const FaultCounts& counts) { counts_ = counts; }
  void count_late_letters();  // of one exchange over this round's links

 private:
  using Pair = std::pair<NodeId, NodeId>;

  void advance(Round t, std::vector<Change>& changes);
  void apply(const TraceEvent& event, std::vector<Change>& changes);
  void draw_crashes(std::vector<Change>& changes);
  bool lose(NodeId node, std::vector<Change>& changes);
  bool greet(NodeId node, std::vector<Change>& changes);
  void find_all_links();
  void find_links();
  bool carries(NodeId a, NodeId b, Renewal& known) const;
  bool is_drawn_down(NodeId a, NodeId b, Renewal& known) const;
  const TraceEvent* told(Event event, NodeId node, NodeId peer) const;
  bool traced(std::initializer_list<Event> events) const;

  std::shared_ptr<const LinkSequence> links_;
  FaultOptions options_;
  Trace trace_;
  bool nodes_crash_, letters_late_, steps_differ_, links_change_;
  std::vector<TraceEvent> of_one_round_;  // late and steps, sorted by what they are asked by
  std::size_t next_ = 0;                  // event of the trace

  Round round_ = -1;
  WeightRows all_links_, up_links_;
  Round links_found_ = -1;  // the round of all_links_
  std::vector<Renewal> node_renewals_;
  std::map<Round, std::vector<Renewal>> link_renewals_;  // by round of the period, then by link
  std::set<Pair> down_;                                  // by the trace, the lower node first
  std::vector<char> paused_by_trace_, up_, lost_;
  NodeId members_;
  std::map<NodeId, Round> joining_;  // who comes back, and when at the earliest
  std::int64_t links_of_members_ = 0, links_that_carry_ = 0;
  FaultCounts counts_;
};

}  // namespace driftless
