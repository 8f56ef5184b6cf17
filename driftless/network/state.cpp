#include <algorithm>
#include <cstring>

#include "driftless/base/error.hpp"
#include "driftless/network/network.hpp"

namespace driftless {
namespace {

// Vectors and integers as one row of numbers, and back. An integer takes two numbers, since a float
// holds 24 bits of one.
constexpr std::int64_t integer_base = 1 << 24;

template <class Real>
class NumberWriter {
 public:
  void add(std::int64_t integer) {
    const std::int64_t high = integer / integer_base;
    numbers_.push_back(static_cast<Real>(high));
    numbers_.push_back(static_cast<Real>(integer % integer_base));
  }
  template <class Row>
  void add_vector(const Row& vector) {
    add(vector.size());
    numbers_.insert(numbers_.end(), vector.data(), vector.data() + vector.size());
  }
  const std::vector<Real>& numbers() const { return numbers_; }

 private:
  std::vector<Real> numbers_;
};

template <class Real>
class NumberReader {
 public:
  explicit NumberReader(std::span<const Real> numbers) : numbers_(numbers) {}
  std::int64_t integer(std::int64_t highest) {
    std::int64_t integer = 0;
    for (const Real digit : take(2)) {
      if (!(digit >= 0 && digit < static_cast<Real>(integer_base))) fail();
      integer = integer * integer_base + static_cast<std::int64_t>(digit);
    }
    if (integer > highest) fail();
    return integer;
  }
  Vector<Real> vector() {
    const auto size = static_cast<std::size_t>(integer(std::ssize(numbers_)));
    const std::span<const Real> part = take(size);
    return Eigen::Map<const Vector<Real>>(part.data(), static_cast<Index>(size));
  }

 private:
  std::span<const Real> take(std::size_t count) {
    if (count > numbers_.size()) fail();
    const auto part = numbers_.first(count);
    numbers_ = numbers_.subspan(count);
    return part;
  }
  [[noreturn]] static void fail() {
    throw DataError(
        "the checkpoint's letters and ledgers do not fit this run; begin it again with "
        "--force");
  }

  std::span<const Real> numbers_;
};

}  // namespace

template <class Real>
Rows<Real> Network::state() const {
  if (!(weather_ && weather_->letters_wait()) && codec<Real>() == nullptr) {
    return Rows<Real>(hosted(), 0);
  }
  const NodeRange mine = hosted();
  const Estimates<Real>& believed = std::get<Estimates<Real>>(estimates_);
  std::vector<NumberWriter<Real>> nodes(static_cast<std::size_t>(mine.size()));
  for (NodeId i = mine.first; i < mine.last; ++i) {
    NumberWriter<Real>& to = nodes[static_cast<std::size_t>(i - mine.first)];
    const auto& [late, ledger] = std::get<Post<Real>>(post_).of(i);
    to.add(std::ssize(late));
    for (const auto& letter : late) {
      to.add(std::max<Round>(letter.due - round_, 0));  // a node that pauses takes it later
      to.add(letter.mix);
      to.add(letter.from);
      to.add(std::ssize(letter.flows));
      for (const Vector<Real>& flow : letter.flows) to.add_vector(flow);
    }
    to.add(std::ssize(ledger));
    for (const auto& [neighbour, sum] : ledger) {
      to.add(neighbour);
      to.add_vector(sum);
    }
    to.add(std::ssize(believed.own));
    for (const Rows<Real>& each : believed.own) to.add_vector(each[i]);
  }
  const auto length = [&](NodeId i) {
    return static_cast<double>(nodes[static_cast<std::size_t>(i - mine.first)].numbers().size());
  };
  std::vector<double> lengths(nodes.size());
  for (NodeId i = mine.first; i < mine.last; ++i) {
    lengths[static_cast<std::size_t>(i - mine.first)] = length(i);
  }
  if (!hosts_all()) lengths = gather_numbers(lengths);
  Rows<Real> rows(mine, static_cast<Index>(std::ranges::max(lengths)));
  for (NodeId i = mine.first; i < mine.last; ++i) {
    std::ranges::copy(nodes[static_cast<std::size_t>(i - mine.first)].numbers(), rows.row(i));
  }
  return rows;
}

template <class Real>
void Network::resume(Round rounds, const Rows<Real>& state) {
  constexpr std::int64_t many = std::numeric_limits<int>::max();
  round_ = rounds - 1;
  if (weather_) weather_->resume(rounds);
  post<Real>() = Post<Real>(hosted());
  auto& [own, others, start] = estimates<Real>();
  own.clear();
  others.clear();
  if (state.dim() == 0) return;
  for (NodeId i = hosted().first; i < hosted().last; ++i) {
    NumberReader<Real> from(std::span(state.row(i), static_cast<std::size_t>(state.dim())));
    auto& [late, ledger] = post<Real>().of(i);
    for (std::int64_t count = from.integer(many); count > 0; --count) {
      auto& letter = late.emplace_back();
      letter.due = round_ + from.integer(many);
      letter.mix = static_cast<Step>(from.integer(many));
      letter.from = static_cast<NodeId>(from.integer(nodes() - 1));
      for (std::int64_t flows = from.integer(many); flows > 0; --flows) {
        letter.flows.push_back(from.vector());
      }
    }
    for (std::int64_t count = from.integer(many); count > 0; --count) {
      const auto neighbour = static_cast<NodeId>(from.integer(nodes() - 1));
      ledger[neighbour] = from.vector();
    }
    const auto believed = static_cast<std::size_t>(from.integer(many));
    for (std::size_t k = 0; k < believed; ++k) {
      const Vector<Real> row = from.vector();
      if (own.size() == k) own.emplace_back(hosted(), row.size());
      own[k][i] = row;
    }
  }
  tell_estimates<Real>();
}

// What is believed of nodes elsewhere is what their processes believe of them.
template <class Real>
void Network::tell_estimates() {
  std::vector<Rows<Real>>& own = estimates<Real>().own;
  auto& others = estimates<Real>().others;
  if (own.empty() || hosts_all()) return;
  Bytes bytes = 0;
  for (const Rows<Real>& each : own) bytes += static_cast<Bytes>(each.dim()) * sizeof(Real);
  swap_letters(
      bytes,
      [&](NodeId i, std::byte* to) {
        for (const Rows<Real>& each : own) {
          const std::size_t size = static_cast<std::size_t>(each.dim()) * sizeof(Real);
          std::memcpy(to, each.row(i), size);
          to += size;
        }
      },
      [&](NodeId j, const std::byte* from) {
        for (const Rows<Real>& each : own) {
          const std::size_t size = static_cast<std::size_t>(each.dim()) * sizeof(Real);
          std::memcpy(others[j].emplace_back(each.dim()).data(), from, size);
          from += size;
        }
      });
}

template Rows<float> Network::state() const;
template Rows<double> Network::state() const;
template void Network::resume(Round, const Rows<float>&);
template void Network::resume(Round, const Rows<double>&);

}  // namespace driftless
