#include "driftless/network/peers/conversation.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>

namespace driftless::peers {
namespace {

constexpr int frames_at_a_time = 4;   // before it is looked what there is to say
constexpr int longest_wait = 100;     // milliseconds: how soon silence is noticed
constexpr double time_to_refuse = 1;  // seconds for the reason to get through

}  // namespace

Conversation::Conversation(Edge& edge, TlsConnection& connection, const WakeUp& wake_up)
    : edge_(edge), connection_(connection), wake_up_(wake_up) {}

Conversation::End Conversation::run(const std::function<bool()>& is_over) {
  edge_.with_session([](Session& session) { session.open(now()); });
  while (!is_over()) {
    moved_ = false;
    try {
      if (!speak() || !listen()) return end_;
    } catch (const Refused& refused) {
      end_ = End::refused;
      if (refused.by() == Refused::By::them) {
        edge_.note(
            fmt::format("{} refuses us: {} {}", edge_.neighbour(), edge_.own(), refused.what()));
        return end_;
      }
      edge_.note(fmt::format("{} is refused: it {}", edge_.neighbour(), refused.what()));
      refuse(refused.what());
    }
    if (has_refused() && now() > refused_at_ + time_to_refuse) return end_;
    if (moved_) continue;
    if (edge_.with_session([](Session& session) { return session.is_silent(now()); })) {
      edge_.note(edge_.neighbour() + " has fallen silent");
      return end_;
    }
    wait_for_more();
  }
  return end_;
}

void Conversation::refuse(const std::string& reason) {
  refused_at_ = now();
  edge_.with_session([&](Session& session) { session.refuse(reason); });
  edge_.changed();
  moved_ = true;
}

void Conversation::take_up(const std::optional<Outgoing>& frame) {
  if (!frame) return;
  out_ = *frame;
  said_ = 0;
}

bool Conversation::speak() {
  if (!is_saying() && !closing_) {
    take_up(edge_.with_session([&](Session& session) {
      closing_ = session.has_parted() && !has_refused();
      return closing_ ? std::nullopt : session.next(now());
    }));
    if (closing_) connection_.say_end();
  }
  while (is_saying()) {
    const bool in_head = said_ < head_bytes;
    const std::byte* from = in_head ? out_.head.data() + said_ : &out_.body[said_ - head_bytes];
    const std::size_t size = (in_head ? head_bytes : head_bytes + out_.body.size()) - said_;
    std::size_t moved = 0;
    const auto step = connection_.write(from, size, moved);
    if (step == TlsConnection::Step::over) {
      edge_.note(
          fmt::format("the connection to {} ended: {}", edge_.neighbour(), connection_.trouble()));
      return false;
    }
    if (step == TlsConnection::Step::not_now) return true;
    said_ += moved;
    moved_ = true;
  }
  out_.owner = nullptr;
  if (has_refused() && !closing_) {  // the reason is out
    closing_ = true;
    connection_.say_end();
  }
  return true;
}

bool Conversation::listen() {
  if (has_refused()) return drain();
  for (int frames = 0; frames < frames_at_a_time;) {
    const bool in_head = heard_ < head_bytes;
    std::byte* to = in_head ? head_.data() + heard_ : &place_[heard_ - head_bytes];
    const std::size_t size = (in_head ? head_bytes : head_bytes + place_.size()) - heard_;
    std::size_t moved = 0;
    const auto step = connection_.read(to, size, moved);
    if (step == TlsConnection::Step::over) {
      if (connection_.has_heard_end()) {
        if (!closing_) connection_.say_end();
        if (edge_.with_session([](Session& session) { return session.has_parted(); })) {
          end_ = End::well;
        }
      }
      edge_.note(
          fmt::format("the connection to {} ended: {}", edge_.neighbour(), connection_.trouble()));
      return false;
    }
    if (step == TlsConnection::Step::not_now) return true;
    moved_ = true;
    if (hear(moved)) ++frames;
  }
  return true;
}

// Nothing more of what comes is looked at. But it is read: a socket that is closed with bytes
// unread is reset, and the other end loses our reason.
bool Conversation::drain() {
  std::array<std::byte, 4096> unread;
  std::size_t moved = 0;
  const auto step = connection_.read(unread.data(), unread.size(), moved);
  if (step == TlsConnection::Step::done) moved_ = true;
  return step != TlsConnection::Step::over;
}

// Whether these bytes have completed a frame.
bool Conversation::hear(std::size_t bytes) {
  const bool in_head = heard_ < head_bytes;
  heard_ += bytes;
  if (heard_ < head_bytes) return false;
  if (in_head) {
    const Head head = unpack_head(head_);
    place_ = edge_.with_session([&](Session& session) { return session.place_for(head); });
  }
  const bool complete = heard_ == head_bytes + place_.size();
  edge_.with_session([&](Session& session) {
    if (complete) {
      session.filled(now());
    } else {
      session.sign_of_life(now());  // on a slow line a body takes longer than silence is borne
    }
  });
  if (!complete) return false;
  heard_ = 0;
  edge_.changed();
  return true;
}

void Conversation::wait_for_more() const {
  const auto events = static_cast<short>(POLLIN | (is_saying() ? POLLOUT : 0));
  std::array<pollfd, 2> polled{
      {{connection_.descriptor(), events, 0}, {wake_up_.descriptor(), POLLIN, 0}}};
  if (poll(polled.data(), polled.size(), longest_wait) > 0 && polled[1].revents != 0) {
    wake_up_.clear();
  }
}

}  // namespace driftless::peers
