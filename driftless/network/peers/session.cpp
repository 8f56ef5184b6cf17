#include "driftless/network/peers/session.hpp"

#include <algorithm>
#include <utility>

namespace driftless::peers {
namespace {

Outgoing frame_of(Kind kind, Body body) {
  auto owner = std::make_shared<const Body>(std::move(body));
  const Head head{.kind = kind, .size = static_cast<std::uint32_t>(owner->size())};
  return {.head = packed(head), .body = *owner, .owner = owner};
}

}  // namespace

Session::Session(const Settings& settings, Identity identity)
    : settings_(settings), identity_(std::move(identity)) {}

Session::Session(const Settings& settings, Identity identity, Memory memory)
    : Session(settings, std::move(identity)) {
  life_there_ = memory.life_there;
  epoch_ = memory.epoch;
  next_seq_ = memory.next_seq;
  held_ = applied_ = kept_ = memory.applied;
  outbox_.assign(memory.outbox.begin(), memory.outbox.end());
  kept_there_ = applied_there_ = first_unkept();
  remembered_ = true;
}

bool Session::has_room() const {
  return life_there_ != 0 && !news_ && !left_ && outbox_.size() < settings_.retained &&
         next_seq_ < applied_there_ + settings_.window;
}

void Session::post(std::uint64_t tag, std::shared_ptr<Body> body) {
  outbox_.push_back({next_seq_++, tag, std::move(body)});
  posted_tag_ = tag;
  drop_kept(kept_there_);
}

std::optional<Incoming> Session::take() {
  if (inbox_.empty()) return std::nullopt;
  Incoming first = std::move(inbox_.front());
  inbox_.pop_front();
  if (first.news == News::letter) {
    ++applied_;
    if (!settings_.durable) kept_ = applied_;
    pulse_due_ = true;
  }
  if (starts_over(first.news)) news_ = false;
  return first;
}

void Session::give_back(std::shared_ptr<Body> body) {
  if (spare_.size() < settings_.window) spare_.push_back(std::move(body));
}

Session::Memory Session::remember() const {
  return {.life_there = life_there_,
          .epoch = epoch_,
          .next_seq = next_seq_,
          .applied = applied_,
          .outbox = {outbox_.begin(), outbox_.end()}};
}

void Session::keep(const Memory& memory) {
  if (memory.epoch != epoch_ || memory.applied <= kept_) return;
  kept_ = memory.applied;
  pulse_due_ = true;
}

void Session::open(double now) {
  lost();
  opened_ = now;
  talk_ = Talk::opened;
  hello_due_ = true;
}

void Session::lost() {
  if (talk_ == Talk::up) tell(News::down);
  talk_ = Talk::none;
  said_bye_ = false;
}

Outgoing Session::hello() {
  const Hello hello{.study = identity_.study,
                    .program = identity_.program,
                    .from = identity_.own,
                    .to = identity_.neighbour,
                    .life = identity_.life,
                    .your_life = life_there_,
                    .epoch = epoch_,
                    .first = first_unkept(),
                    .seq = held_,
                    .offset = partial_filled_};
  return frame_of(Kind::hello, packed(hello));
}

Outgoing Session::next_piece() {
  const Letter& letter = outbox_[sending_seq_ - first_unkept()];
  const std::uint64_t total = letter.body->size();
  const auto size =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(settings_.piece, total - sending_offset_));
  const Head head{.kind = Kind::piece,
                  .size = size,
                  .numbers = {letter.seq, letter.tag, total, sending_offset_}};
  Outgoing piece{.head = packed(head),
                 .body = std::span<const std::byte>(*letter.body).subspan(sending_offset_, size),
                 .owner = letter.body};
  sending_offset_ += size;
  bytes_out_ += size;
  if (sending_offset_ == total) {
    ++sending_seq_;
    sending_offset_ = 0;
  }
  return piece;
}

// A pulse comes before the next piece.
std::optional<Outgoing> Session::next(double now) {
  if (talk_ == Talk::refused && !refusal_.empty()) {
    const std::string reason = std::exchange(refusal_, "");
    const auto bytes = std::as_bytes(std::span(reason));
    return frame_of(Kind::refusal, {bytes.begin(), bytes.end()});
  }
  if (hello_due_ && talk_ != Talk::none) {
    hello_due_ = false;
    return hello();
  }
  if (talk_ != Talk::up) return std::nullopt;
  if (pulse_due_ || now - last_pulse_ >= settings_.pulse_every) {
    pulse_due_ = false;
    last_pulse_ = now;
    const Head pulse{.kind = Kind::pulse, .numbers = {held_, applied_, kept_, posted_tag_}};
    return Outgoing{.head = packed(pulse), .body = {}, .owner = {}};
  }
  if (!left_ && sending_seq_ < std::min(next_seq_, applied_there_ + settings_.window)) {
    return next_piece();
  }
  if (bye_due_ && !said_bye_ && (left_ || kept_there_ >= next_seq_)) {
    said_bye_ = true;
    return Outgoing{.head = packed(Head{.kind = Kind::bye}), .body = {}, .owner = {}};
  }
  return std::nullopt;
}

void Session::refuse(const std::string& reason) {
  if (talk_ == Talk::up) tell(News::down);
  talk_ = Talk::refused;
  hello_due_ = false;
  refusal_ = plain_words(reason);
}

void Session::sign_of_life(double now) {
  if (talk_ == Talk::up) last_heard_ = now;
}

bool Session::is_silent(double now) const {
  return now - std::max(opened_, last_heard_) > settings_.silent_after;
}

void Session::watch(double now) {
  if (last_heard_ < 0) last_heard_ = now;  // just started: time counts from here
  if (talk_ != Talk::none || left_ || life_there_ == 0) return;
  if (now - last_heard_ <= settings_.dead_after) return;
  start_from_zero(epoch_ + 1);
  life_there_ = 0;
  tell(News::died);
  news_ = true;
}

void Session::drop_kept(std::uint64_t kept) {
  kept_there_ = std::max(kept_there_, kept);
  while (!outbox_.empty() && outbox_.front().seq < kept_there_) outbox_.pop_front();
}

void Session::start_from_zero(std::uint64_t epoch) {
  inbox_.clear();  // letters of before count no more, and neither does news of before
  outbox_.clear();
  partial_ = nullptr;
  next_seq_ = applied_there_ = kept_there_ = 0;
  sending_seq_ = sending_offset_ = 0;
  held_ = applied_ = kept_ = partial_filled_ = 0;
  epoch_ = epoch;
  said_bye_ = left_ = false;
}

// The application hears only where it is now: up and down in turn leave nothing to tell, so a
// connection that comes and goes fills no memory.
void Session::tell(News news) {
  const auto undoes = [&](News last) {
    return (news == News::down && last == News::up) || (news == News::up && last == News::down);
  };
  if (!inbox_.empty() && undoes(inbox_.back().news)) {
    inbox_.pop_back();
  } else {
    inbox_.push_back({.news = news});
  }
}

}  // namespace driftless::peers
