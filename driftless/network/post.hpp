#pragma once

#include <map>
#include <vector>

#include "driftless/base/function_ref.hpp"
#include "driftless/network/rows.hpp"

namespace driftless {

// What is under way to the hosted nodes, and what came to them so far. Node j's letter of round t
// is to node i a flow w_ij (m_j − m_i) for each of the rows that it carries; node j has the same
// from i with the opposite sign. Each end uses it once, perhaps late, or neither does: so flows
// cancel in pairs, whatever the network does, and sums over nodes stay what they are.
template <class Real>
class Post {
 public:
  // A letter that is late, as what it will add to the rows.
  struct Letter {
    Round due = 0;
    Step mix = 0;  // of its round: letters of different mixes may carry different rows
    NodeId from = 0;
    std::vector<Vector<Real>> flows;
  };
  // Of one node.
  struct Inbox {
    std::vector<Letter> late;  // in the order in which they were sent, and by sender
    // The sum of all flows of the last row of a letter that came from a neighbour: what the node
    // takes back if that neighbour is lost.
    std::map<NodeId, Vector<Real>> ledger;
  };

  Post() = default;
  explicit Post(NodeRange hosted)
      : hosted_(hosted), inboxes_(static_cast<std::size_t>(hosted.size())) {}

  NodeRange hosted() const { return hosted_; }
  Inbox& of(NodeId i) { return inboxes_[static_cast<std::size_t>(i - hosted_.first)]; }
  const Inbox& of(NodeId i) const { return inboxes_[static_cast<std::size_t>(i - hosted_.first)]; }

  // A node is lost: nothing from it or to it arrives any more, and every neighbour is asked to take
  // back what it had from it.
  void lose(NodeId node, FunctionRef<void(NodeId, const Vector<Real>&)> take_back) {
    for (NodeId i = hosted_.first; i < hosted_.last; ++i) {
      Inbox& inbox = of(i);
      if (i == node) {
        inbox = Inbox();
        continue;
      }
      std::erase_if(inbox.late, [&](const Letter& letter) { return letter.from == node; });
      if (const auto sum = inbox.ledger.extract(node)) take_back(i, sum.mapped());
    }
  }

 private:
  NodeRange hosted_;
  std::vector<Inbox> inboxes_;
};

}  // namespace driftless
