#include "driftless/network/network.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "driftless/base/fingerprint.hpp"
#include "driftless/base/parallel.hpp"

namespace driftless {
namespace {

bool changes_nothing(const Weather& weather) {
  return !weather.links_change() && !weather.letters_wait() && !weather.steps_differ();
}

}  // namespace

Network::Network(const MixingMatrix& mixing)
    : fixed_links_(mixing.rows()), traffic_(fixed_links_) {}

Network::Network(Conditions conditions)
    : weather_(std::make_unique<Weather>(conditions.links, conditions.faults,
                                         std::move(conditions.trace))),
      codecs_(std::move(conditions.codecs)),
      codec_rate_(conditions.codec_rate),
      codec_seed_(conditions.seed),
      traffic_(conditions.links->nodes()) {
  links_fixed_ = !weather_->links_change();
  if (links_fixed_) {
    conditions.links->links(0, fixed_links_);
    traffic_ = Traffic(fixed_links_);
  }
  if (changes_nothing(*weather_)) weather_.reset();
}

void Network::for_each_node(FunctionRef<void(NodeId)> work) const {
  const NodeRange mine = hosted();
  parallel(mine.size(), [&](Index k) {
    const NodeId i = mine.first + static_cast<NodeId>(k);
    if (!weather_ || weather_->is_up(i)) work(i);
  });
}

void Network::for_each_client(FunctionRef<void(NodeId)> work) const {
  for_each_node([&](NodeId i) {
    if (!weather_ || weather_->reaches_server(i)) work(i);
  });
}

void Network::for_each_member(FunctionRef<void(NodeId)> work) const {
  const NodeRange mine = hosted();
  parallel(mine.size(), [&](Index k) {
    const NodeId i = mine.first + static_cast<NodeId>(k);
    if (is_member(i)) work(i);
  });
}

template <class Real>
void Network::start(const Rows<Real>& models) {
  if (weather_) weather_->restart();
  post<Real>() = Post<Real>(hosted());
  estimates<Real>() = {};
  if (codec<Real>() == nullptr) return;
  // Nodes elsewhere cannot be looked at, so they tell a sum of their bits.
  const std::vector<double> sums = gather([&](NodeId i) {
    Fingerprint sum;
    sum.add_numbers(std::span(models.row(i), static_cast<std::size_t>(models.dim())));
    return static_cast<double>(sum.value() >> 12);
  });
  if (std::ranges::all_of(sums, [&](double sum) { return sum == sums.front(); })) {
    estimates<Real>().start = models[hosted().first];
  }
}

template <class Real>
void Network::begin_round(Round t, Rows<Real>& models, Member<Real>& method) {
  round_ = t;
  mixes_ = 0;
  if (!weather_) return;
  for (const Weather::Change& change : weather_->begin(t)) {
    if (change.lost) {
      post<Real>().lose(change.node, [&](NodeId i, const Vector<Real>& flow) {
        if (is_member(i)) method.take_back(i, flow);
      });
    } else {
      copy_row(RowCopy<Real>{models, change.from, change.node});
      if (hosted().contains(change.node)) method.join(change.node, t);
    }
  }
}

void Network::mix_any(FloatOrDouble<RowsList> rows, Mixing mixing) {
  const auto mix_all = [&]<class Real>(RowsList<Real> all) {
    if (all.empty()) return;
    Bytes letter = message_bytes(all);
    if (const Codec<Real>* packed = codec<Real>()) {
      letter = 0;
      for (const Rows<Real>* each : all) letter += packed->bytes(each->dim());
    }
    if (links_fixed_) {
      traffic_.count_exchange(letter);
    } else {
      traffic_.count_exchange(links(), letter);
    }
    if (codec<Real>() != nullptr) {
      mix_estimates(all, mixing);
    } else if (weather_ && weather_->letters_wait()) {
      mix_by_letters(all, mixing);
    } else {
      mix_rows(all, mixing);
    }
    ++mixes_;
  };
  std::visit(mix_all, rows);
}

// Who is away counts as zero in the sum, and has its own row again where it gets no answer.
template <class Real>
double Network::average_present(RowsList<Real> rows, Answer answer) {
  NodeId present = 0;
  for (NodeId i = 0; i < nodes(); ++i) {
    if (!weather_->reaches_server(i)) continue;
    ++present;
    traffic_.count_uplink(i, message_bytes(rows));
  }
  if (present == 0) return 0;
  std::vector<std::pair<NodeId, std::vector<Vector<Real>>>> away;
  const NodeRange mine = hosted();
  for (NodeId i = mine.first; i < mine.last; ++i) {
    if (weather_->reaches_server(i)) continue;
    auto& own = away.emplace_back(i, std::vector<Vector<Real>>()).second;
    for (Rows<Real>* each : rows) {
      own.emplace_back((*each)[i]);
      (*each)[i].setZero();
    }
  }
  average_rows(AverageRequest<Real>{rows, present});
  for (const auto& [i, own] : away) {
    if (answer == Answer::for_all) break;
    for (std::size_t k = 0; k < rows.size(); ++k) (*rows[k])[i] = own[k];
  }
  return static_cast<double>(present) / nodes();
}

double Network::average_any(FloatOrDouble<RowsList> rows, Answer answer) {
  const auto average_all = [&]<class Real>(RowsList<Real> all) {
    if (weather_) return average_present(all, answer);
    traffic_.count_global_average(message_bytes(all));
    average_rows(AverageRequest<Real>{all, nodes()});
    return 1.0;
  };
  return std::visit(average_all, rows);
}

std::vector<double> Network::gather(FunctionRef<double(NodeId)> of) const {
  const NodeRange mine = hosted();
  std::vector<double> own(static_cast<std::size_t>(mine.size()));
  for_each_member([&](NodeId i) { own[static_cast<std::size_t>(i - mine.first)] = of(i); });
  return hosts_all() ? own : gather_numbers(std::move(own));
}

double Network::mean(FunctionRef<double(NodeId)> of) const {
  double sum = 0;
  for (const double value : gather(of)) sum += value;
  return sum / members();
}

bool Network::any(bool here) const {
  if (hosts_all()) return here;
  const NodeRange mine = hosted();
  const std::vector<double> own(static_cast<std::size_t>(mine.size()), here ? 1.0 : 0.0);
  return std::ranges::max(gather_numbers(own)) > 0;
}

template void Network::start(const Rows<float>&);
template void Network::start(const Rows<double>&);
template void Network::begin_round(Round, Rows<float>&, Member<float>&);
template void Network::begin_round(Round, Rows<double>&, Member<double>&);

}  // namespace driftless
