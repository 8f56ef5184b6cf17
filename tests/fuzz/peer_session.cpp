#include "driftless/network/peers/session.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace driftless;
using peers::Session;

namespace {

constexpr std::uint64_t most_bytes = 1 << 12;

// A neighbour that sends whatever it likes, over one connection after the other, while the
// application posts and takes. Every byte of the input is a frame's or a step.
class Hostile {
 public:
  explicit Hostile(std::span<const std::byte> input) : input_(input) {}

  void run() {
    greet();
    while (!input_.empty()) {
      const auto step = static_cast<unsigned>(input_.front());
      input_ = input_.subspan(1);
      now_ += 0.1 * (step >> 5);
      try {
        act(step % 8);
      } catch (const peers::Refused& refused) {
        session_.refuse(refused.what());
        while (session_.next(now_)) {
        }
        greet();
      }
    }
  }

 private:
  void act(unsigned step) {
    switch (step) {
      case 0:
        session_.lost();
        session_.watch(now_);
        return greet();
      case 1:
        if (session_.has_room()) session_.post(1, std::make_shared<peers::Body>(100));
        return;
      case 2:
        if (auto in = session_.take(); in && in->letter.body) {
          if (in->letter.body->size() > most_bytes) std::abort();
          session_.give_back(std::move(in->letter.body));
        }
        return;
      case 3:
        session_.keep(session_.remember());
        return session_.say_bye();
      case 4:
        if (const auto out = session_.next(now_); out && out->body.size() > most_bytes)
          std::abort();
        return;
      default:
        return hear();
    }
  }
  // A hello that is right, so that what follows is looked at.
  void greet() {
    session_.open(now_);
    peers::Hello hello{.from = "b", .to = "a", .life = 2};
    if (session_.has_met() && now_ < 20) hello.your_life = 1;
    hello.epoch = session_.epoch();
    const peers::Body body = packed(hello);
    const auto size = static_cast<std::uint32_t>(body.size());
    std::ranges::copy(body, session_.place_for({.kind = peers::Kind::hello, .size = size}).begin());
    try {
      session_.filled(now_);
    } catch (const peers::Refused&) {
      std::abort();
    }
  }
  void hear() {
    if (input_.size() < 6) return input_ = {}, void();
    // Small numbers, so that some fit; all kinds of them are in peer_frames.
    const auto number = [&](std::size_t k) { return static_cast<std::uint64_t>(input_[k]); };
    peers::Head head{.kind = static_cast<peers::Kind>(number(0) % 6)};
    const bool numbered = head.kind == peers::Kind::piece || head.kind == peers::Kind::pulse;
    head.size = head.kind == peers::Kind::pulse || head.kind == peers::Kind::bye
                    ? 0
                    : static_cast<std::uint32_t>(number(1));
    for (std::size_t k = 0; k < 4 && numbered; ++k) {
      const std::uint64_t n = number(2 + k);
      head.numbers[k] = n == 255 ? ~std::uint64_t{0} : n;
    }
    input_ = input_.subspan(6);
    const std::span<std::byte> place = session_.place_for(peers::unpack_head(packed(head)));
    if (place.size() != head.size) std::abort();
    const std::size_t there = std::min(place.size(), input_.size());
    std::ranges::copy(input_.first(there), place.begin());
    input_ = input_.subspan(there);
    session_.filled(now_);
  }

  std::span<const std::byte> input_;
  double now_ = 0;
  Session session_{{.piece = 64, .most_bytes = most_bytes, .dead_after = 5, .durable = true},
                   {.own = "a", .neighbour = "b", .life = 1}};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Hostile(std::as_bytes(std::span(data, size))).run();
  return 0;
}
