// What a session makes of the frames that come. Whoever sends them may mean ill: every number is
// checked before it is used.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/network/peers/session.hpp"

namespace driftless::peers {
namespace {

std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

}  // namespace

std::span<std::byte> Session::place_for(const Head& head) {
  const bool first = talk_ == Talk::opened;
  if (first != (head.kind == Kind::hello) && head.kind != Kind::refusal) {
    throw Refused(first ? "does not begin with a hello" : "says hello twice");
  }
  coming_ = head;
  if (head.kind == Kind::piece) return place_for_piece(head);
  text_.resize(head.size);
  return text_;
}

std::span<std::byte> Session::place_for_piece(const Head& head) {
  const auto [seq, tag, total, offset] = head.numbers;
  if (left_) throw Refused("sends letters after its bye");
  if (total > settings_.most_bytes) {
    throw Refused(fmt::format("sends a letter of {} bytes, where {} are the most", total,
                              settings_.most_bytes));
  }
  if (seq != held_) {
    throw Refused(fmt::format("sends letter {}, where letter {} is due", seq, held_));
  }
  if (held_ - applied_ >= settings_.window)
    throw Refused("sends more letters than there is room for");
  if (offset == 0) {  // also once more, after a crash
    partial_filled_ = 0;
    partial_tag_ = tag;
    if (!partial_ || partial_->size() != total) partial_ = room_for(total);
  }
  if (offset != partial_filled_ || !partial_ || total != partial_->size() || tag != partial_tag_ ||
      head.size > total - offset) {
    throw Refused("sends pieces that do not fit together");
  }
  return std::span(*partial_).subspan(offset, head.size);
}

void Session::filled(double now) {
  sign_of_life(now);
  switch (coming_.kind) {
    case Kind::hello:
      return greet(unpack_hello(text_), now);
    case Kind::refusal:
      throw Refused(plain_words({reinterpret_cast<const char*>(text_.data()), text_.size()}),
                    Refused::By::them);
    case Kind::piece:
      return piece_is_there();
    case Kind::pulse:
      return heard_pulse();
    case Kind::bye:
      if (!left_) tell(News::left);
      left_ = true;
      return;
  }
}

void Session::check_partner(const Hello& theirs) const {
  if (theirs.from != identity_.neighbour || theirs.to != identity_.own) {
    throw Refused(fmt::format(
        "calls itself {} and looks for {}, where {} and {} talk; compare the "
        "names in both configs",
        plain_words(theirs.from), plain_words(theirs.to), identity_.neighbour, identity_.own));
  }
  if (theirs.study != identity_.study) {
    throw Refused(
        fmt::format("has another study: {}… at {} (driftless {}), {}… at {} (driftless "
                    "{}); give both the same file",
                    hex(std::span(theirs.study).first(6)), theirs.from, plain_words(theirs.program),
                    hex(std::span(identity_.study).first(6)), identity_.own, identity_.program));
  }
}

// Both ends decide alike, for each knows both hellos: the edge goes on where it was, or both begin
// from zero in an epoch that neither has had.
void Session::greet(const Hello& theirs, double now) {
  check_partner(theirs);
  const bool met = life_there_ != 0 || epoch_ != 0;
  const bool met_there = theirs.your_life != 0 || theirs.epoch != 0;
  const bool goes_on = theirs.life == life_there_ && theirs.your_life == identity_.life &&
                       theirs.epoch == epoch_ && theirs.seq >= first_unkept() &&
                       held_ >= theirs.first;
  if (goes_on) {
    sending_seq_ = theirs.seq;
    sending_offset_ = 0;
    // Where the process was started anew the letter is posted anew too, and goes out whole.
    if (!remembered_ && sending_seq_ < next_seq_ &&
        theirs.offset < outbox_[sending_seq_ - first_unkept()].body->size()) {
      sending_offset_ = theirs.offset;
    }
  } else {
    // Where there were no letters nothing begins anew, unless the application has not heard that.
    const bool had_letters = next_seq_ > 0 || held_ > 0 || news_;
    start_from_zero(std::max(epoch_, theirs.epoch) + (met || met_there ? 1 : 0));
    life_there_ = theirs.life;
    if (had_letters) {
      tell(News::restarted);
      news_ = true;
    }
  }
  remembered_ = false;
  applied_there_ = first_unkept();  // until its first pulse: it may have gone back to a checkpoint
  talk_ = Talk::up;
  ++connections_;
  last_heard_ = now;
  pulse_due_ = true;
  tell(News::up);
}

void Session::heard_pulse() {
  const auto [held, applied, kept, tag] = coming_.numbers;
  const bool in_order = held >= applied && applied >= kept;
  if (!in_order || held > sending_seq_ || kept < kept_there_) {
    throw Refused("sends receipts for letters that it cannot have");
  }
  applied_there_ = std::max(applied, kept);
  tag_there_ = tag;
  drop_kept(kept);
}

void Session::piece_is_there() {
  partial_filled_ += coming_.size;
  if (partial_filled_ < partial_->size()) return;
  inbox_.push_back({News::letter, {held_++, partial_tag_, std::move(partial_)}});
  partial_ = nullptr;
  partial_filled_ = 0;
  pulse_due_ = true;
}

std::shared_ptr<Body> Session::room_for(std::uint64_t size) {
  const auto fits = std::ranges::find(spare_, size, [](const auto& body) { return body->size(); });
  if (fits == spare_.end()) return std::make_shared<Body>(size);
  auto body = std::move(*fits);
  spare_.erase(fits);
  return body;
}

}  // namespace driftless::peers
