#include "driftless/graph/link_list.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "driftless/base/error.hpp"
#include "driftless/base/line_reader.hpp"
#include "driftless/graph/compensated_sum.hpp"
#include "driftless/graph/link_sequence.hpp"

namespace driftless {
namespace {

constexpr double weight_tolerance = 1e-12;

// One file on its way.
class LinkListReader {
 public:
  LinkListReader(const std::filesystem::path& path, std::optional<NodeId> nodes)
      : reader_(path, "#"), nodes_(nodes) {
    if (nodes && (*nodes < 1 || *nodes > max_nodes)) {
      throw DataError("{}: asked for {} nodes, expected 1 to {}", reader_.name(), *nodes,
                      max_nodes);
    }
  }

  LinkList read() {
    read_header();
    while (reader_.next_cells(cells_)) read_link();
    end_round();
    if (list_.links.empty() && nodes_ != 1) {
      throw DataError("{}: holds no link", reader_.name());
    }
    // Checked before anyone takes memory for nodes that so few links cannot reach.
    if (!nodes_ && largest_ > std::ssize(list_.links)) {
      throw DataError(
          "{}: {} links cannot connect {} nodes; say how many nodes there are if that is meant",
          reader_.name(), list_.links.size(), largest_ + 1);
    }
    list_.nodes = nodes_.value_or(largest_ + 1);
    check_gaps();
    return std::move(list_);
  }

 private:
  static constexpr std::array<std::string_view, 4> header = {"round", "a", "b", "weight"};
  static constexpr std::string_view headers = "the header round,a,b or round,a,b,weight";

  struct LinkOfLine {
    ListedLink link;
    std::int64_t line = 0;
  };

  // Every round is looked at, also those without links, at a cost that is linear in the nodes.
  void check_gaps() const {
    constexpr std::int64_t nodes_and_rounds = 100'000'000;
    constexpr std::int64_t a_link = 100;
    const std::int64_t most = std::max(nodes_and_rounds, a_link * std::ssize(list_.links));
    if (list_.period <= most / list_.nodes) return;
    throw DataError(
        "{}: {} links in {} rounds of {} nodes are too few to go through all rounds, expected at "
        "most {} rounds: leave out rounds without links by numbering the others one after another",
        reader_.name(), list_.links.size(), list_.period, list_.nodes, most / list_.nodes);
  }

  void read_header() {
    if (!reader_.next_cells(cells_)) {
      throw DataError("{}: is empty, expected {}", reader_.name(), headers);
    }
    columns_ = cells_.size();
    const std::size_t told = std::min(columns_, header.size());
    if (told < header.size() - 1 || !std::ranges::equal(cells_, std::span(header).first(told))) {
      throw DataError("{}: found \"{:.40}\", expected {}", reader_.place(),
                      fmt::format("{}", fmt::join(std::span(cells_).first(told), ",")), headers);
    }
    list_.weighted = columns_ == header.size();
  }

  void read_link() {
    if (cells_.size() != columns_) {
      throw DataError("{}: found {} cells, expected {}: {}", reader_.place(), cells_.size(),
                      columns_, fmt::join(std::span(header).first(columns_), ","));
    }
    begin_round(reader_.integer(cells_[0], 0, max_listed_rounds - 1));
    const NodeId highest = nodes_.value_or(max_nodes) - 1;
    const auto one = static_cast<NodeId>(reader_.integer(cells_[1], 0, highest));
    const auto other = static_cast<NodeId>(reader_.integer(cells_[2], 0, highest));
    if (one == other) {
      throw DataError("{}: node {} is not its own neighbour; remove the line", reader_.place(),
                      one);
    }
    if (std::ssize(list_.links) + std::ssize(round_) == max_edges) {
      throw DataError("{}: more than {} links", reader_.place(), max_edges);
    }
    largest_ = std::max({largest_, one, other});
    round_.push_back({{std::min(one, other), std::max(one, other), list_.weighted ? weight() : 0},
                      reader_.line()});
  }

  double weight() const {
    const double found = reader_.number(cells_[3]);
    if (!(found > 0 && found - 1 <= weight_tolerance)) {
      throw DataError("{}: found weight {}, expected more than 0 and at most 1", reader_.place(),
                      found);
    }
    return found;
  }

  void begin_round(Round number) {
    if (number == number_) return;
    if (number < number_) {
      throw DataError("{}: round {} after round {}: expected rounds that ascend", reader_.place(),
                      number, number_);
    }
    end_round();
    number_ = number;
  }

  void end_round() {
    if (round_.empty()) return;
    std::ranges::sort(round_, {}, [](const LinkOfLine& each) {
      return std::tuple(each.link.a, each.link.b, each.line);
    });
    check_repeats();
    if (list_.weighted) check_sums();
    list_.period = number_ + 1;
    list_.rounds.push_back({number_, list_.links.size()});
    for (const LinkOfLine& each : round_) list_.links.push_back(each.link);
    round_.clear();
  }

  void check_repeats() const {
    for (std::size_t k = 1; k < round_.size(); ++k) {
      const auto& [before, line_before] = round_[k - 1];
      const auto& [link, line] = round_[k];
      if (link.a != before.a || link.b != before.b) continue;
      throw DataError("{}:{}: round {} has the link of {} and {} already, from line {}",
                      reader_.name(), line, number_, link.a, link.b, line_before);
    }
  }

  void check_sums() const {
    struct End {
      NodeId node;
      std::int64_t line;
      double weight;
    };
    std::vector<End> ends;
    for (const auto& [link, line] : round_) {
      ends.push_back({link.a, line, link.weight});
      ends.push_back({link.b, line, link.weight});
    }
    std::ranges::sort(ends, {}, [](const End& end) { return std::pair(end.node, end.line); });
    CompensatedSum sum;
    NodeId previous = -1;
    for (const auto& [node, line, weight] : ends) {
      if (node != std::exchange(previous, node)) sum = {};
      sum.add(weight);
      if (sum.value() - 1 <= weight_tolerance) continue;
      throw DataError("{}:{}: the weights of node {} in round {} come to {}, expected at most 1",
                      reader_.name(), line, node, number_, sum.value());
    }
  }

  LineReader reader_;
  std::optional<NodeId> nodes_;
  std::vector<std::string_view> cells_;
  std::size_t columns_ = 0;
  Round number_ = 0;
  std::vector<LinkOfLine> round_;  // the links of the round so far
  NodeId largest_ = 0;
  LinkList list_;
};

}  // namespace

LinkList read_link_list(const std::filesystem::path& path, std::optional<NodeId> nodes) {
  return LinkListReader(path, nodes).read();
}

}  // namespace driftless
