#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>

#include "driftless/network/peers/session.hpp"

namespace driftless::peers::testing {

// What may happen to the two ends of an edge, and how often in a step of 50 ms.
struct WorldOptions {
  double cut = 0.03;
  double forget = 0;    // a crash after which all is forgotten
  double remember = 0;  // a crash after which the site goes on from its last checkpoint
  double dead_after = 1e9;
};

struct WorldCounts {
  std::uint64_t cuts = 0, crashes = 0, letters = 0, starts_from_zero = 0, deaths = 0;
};

// Two sessions, an application behind each that posts and takes, and a wire between them that can
// be cut in the middle of anything, in virtual time. What letter k of an epoch says follows from
// the end and k alone, so a site that goes on from a checkpoint posts the same again.
class World {
 public:
  World(std::uint64_t seed, const WorldOptions& options)
      : options_(options),
        draw_(seed),
        settings_{.window = 1 + draw_() % 3,
                  .piece = 16,
                  .most_bytes = 1 << 10,
                  .pulse_every = 1,
                  .silent_after = 3,
                  .dead_after = options.dead_after,
                  .durable = options.remember > 0} {
    for (int k = 0; k < 2; ++k) begin(k);
  }

  void live(int steps) {
    for (int t = 0; t < steps; ++t) step(false);
  }
  // No more faults, until both have posted equally many letters and have all of each other's.
  void settle() {
    closed_until_ = 0;
    for (int t = 0; t < 4000 && !is_settled(); ++t) step(true);
    for (int t = 0; t < 40; ++t) step(true);  // and nothing happens then
    EXPECT_TRUE(is_settled());
    for (int k = 0; k < 2; ++k) {
      EXPECT_EQ(ends_[k].taken, posted(1 - k)) << "letters lost on the way to end " << k;
    }
    EXPECT_EQ(ends_[0].session->epoch(), ends_[1].session->epoch());
  }
  // Both leave; true once both have heard.
  bool part() {
    for (End& end : ends_) end.session->say_bye();
    for (int t = 0; t < 1000; ++t) {
      step(true);
      if (open_ && t < 100 && chance(0.1)) cut();
      if (ends_[0].session->has_parted() && ends_[1].session->has_parted()) return true;
    }
    return false;
  }

  const WorldCounts& counts() const { return counts_; }

 private:
  struct Checkpoint {
    Session::Memory memory;
    std::uint64_t taken = 0;
  };
  struct End {
    std::unique_ptr<Session> session;
    std::uint64_t life = 0;
    std::deque<Body> wire;    // frames that this end has sent and the other has not read
    std::uint64_t taken = 0;  // letters, since the edge last began from zero
    std::optional<Checkpoint> disk;
  };

  bool chance(double p) { return std::uniform_real_distribution<>(0, 1)(draw_) < p; }
  std::uint64_t posted(int k) const { return ends_[k].session->remember().next_seq; }
  bool is_settled() const {
    return open_ && posted(0) == posted(1) && ends_[0].taken == posted(1) &&
           ends_[1].taken == posted(0);
  }

  static Body letter(int k, std::uint64_t epoch, std::uint64_t seq) {
    std::uint64_t value = (epoch << 32) + 2 * seq + static_cast<std::uint64_t>(k);
    Body body(sizeof value + seq * 7 % 60);
    std::memcpy(body.data(), &value, sizeof value);
    return body;
  }

  Session::Identity identity(int k) const {
    const std::string names[] = {"a", "b"};
    return {.program = "1", .own = names[k], .neighbour = names[1 - k], .life = ends_[k].life};
  }
  void begin(int k) {
    End& end = ends_[k];
    end.life = ++lives_;
    end.session = std::make_unique<Session>(settings_, identity(k));
    end.taken = 0;
    end.disk.reset();
  }
  void go_on(int k) {
    End& end = ends_[k];
    end.session = std::make_unique<Session>(settings_, identity(k), end.disk->memory);
    end.taken = end.disk->taken;
  }

  void cut() {
    for (int k = 0; k < 2; ++k) {
      End& end = ends_[k];
      if (!end.wire.empty() && chance(0.5)) hear_a_part(1 - k, end.wire.front());
    }
    for (End& end : ends_) {
      end.wire.clear();
      end.session->lost();
    }
    open_ = false;
    ++counts_.cuts;
    if (chance(0.05)) closed_until_ = now_ + std::exponential_distribution<>(0.1)(draw_);
  }

  void hear(int k, const Body& frame) {
    const Head head = unpack_head(std::span(frame).first<head_bytes>());
    const std::span<std::byte> place = ends_[k].session->place_for(head);
    ASSERT_EQ(place.size(), head.size);
    std::copy_n(frame.data() + head_bytes, place.size(), place.data());
    ends_[k].session->filled(now_);
  }
  void hear_a_part(int k, const Body& frame) {
    const Head head = unpack_head(std::span(frame).first<head_bytes>());
    const std::span<std::byte> place = ends_[k].session->place_for(head);
    std::copy_n(frame.data() + head_bytes, place.size() / 2, place.data());
  }

  void take_all(int k) {
    End& end = ends_[k];
    while (auto in = end.session->take()) {
      if (in->news == News::letter) {
        ASSERT_EQ(in->letter.seq, end.taken) << "a letter twice, or out of order";
        ASSERT_EQ(*in->letter.body, letter(1 - k, end.session->epoch(), in->letter.seq));
        ASSERT_EQ(in->letter.tag, in->letter.seq + 1000);
        ++end.taken;
        ++counts_.letters;
        if (chance(0.5)) end.session->give_back(std::move(in->letter.body));
      } else if (starts_over(in->news)) {
        end.taken = 0;
        end.disk.reset();
        ++(in->news == News::died ? counts_.deaths : counts_.starts_from_zero);
      }
    }
  }
  void write_checkpoint(int k) {
    End& end = ends_[k];
    end.disk = {end.session->remember(), end.taken};
    if (chance(0.8)) end.session->keep(end.disk->memory);  // else the site crashes before
  }

  void act(int k, bool calm) {
    End& end = ends_[k];
    if (calm || chance(0.3)) take_all(k);
    const bool behind = posted(k) < std::max(posted(1 - k), ends_[1 - k].taken);
    if ((calm ? behind || ends_[1 - k].taken > posted(k) : chance(0.3)) &&
        end.session->has_room()) {
      const std::uint64_t seq = posted(k);
      end.session->post(seq + 1000, std::make_shared<Body>(letter(k, end.session->epoch(), seq)));
    }
    if (settings_.durable && (calm || chance(0.1))) write_checkpoint(k);
  }

  void crash(int k, bool forgets) {
    if (open_) cut();
    ++counts_.crashes;
    if (forgets || !ends_[k].disk) {
      begin(k);
    } else {
      go_on(k);
    }
  }

  void step(bool calm) {
    now_ += 0.05;
    if (!open_ && now_ >= closed_until_ && chance(calm ? 1 : 0.2)) {
      for (End& end : ends_) end.session->open(now_);
      open_ = true;
    }
    for (int k = 0; k < 2; ++k) {
      End& end = ends_[k];
      if (open_) {
        if (const auto out = end.session->next(now_)) {
          Body& frame = end.wire.emplace_back(out->head.begin(), out->head.end());
          frame.insert(frame.end(), out->body.begin(), out->body.end());
        }
        std::deque<Body>& in = ends_[1 - k].wire;
        if (!in.empty() && (calm || chance(0.8))) {
          hear(k, in.front());
          in.pop_front();
        }
      } else {
        end.session->watch(now_);
      }
      act(k, calm);
    }
    if (calm) return;
    if (open_ && chance(options_.cut)) cut();
    for (const bool forgets : {true, false}) {
      if (chance(forgets ? options_.forget : options_.remember)) {
        crash(static_cast<int>(draw_() % 2), forgets);
      }
    }
  }

  WorldOptions options_;
  std::mt19937_64 draw_;
  Session::Settings settings_;
  End ends_[2];
  std::uint64_t lives_ = 0;
  bool open_ = false;
  double now_ = 0, closed_until_ = 0;
  WorldCounts counts_;
};

}  // namespace driftless::peers::testing
