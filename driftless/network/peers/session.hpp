#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/network/peers/frame.hpp"

namespace driftless::peers {

// One message of a site to a neighbour.
struct Letter {
  std::uint64_t seq = 0;  // 0, 1, 2 … since the edge was started from zero
  std::uint64_t tag = 0;  // what it belongs to, for its reader
  std::shared_ptr<Body> body;
};

// What comes to the application, in the order in which it counts. After `restarted` and `died` the
// edge begins from zero: what was summed up over it is taken back.
enum class News { letter, up, down, restarted, died, left };
inline bool starts_over(News news) { return news == News::restarted || news == News::died; }

struct Incoming {
  News news = News::up;
  Letter letter = {};  // of News::letter
};

// A frame on its way out.
struct Outgoing {
  HeadBytes head{};
  std::span<const std::byte> body;
  std::shared_ptr<const Body> owner;  // keeps the body alive
};

// One edge's conversation, without I/O, threads or clock: what to say, what was heard, what
// follows. Letters arrive once each and in order, over as many connections as it takes, and both
// ends agree on when the edge begins from zero.
//
// The application posts and takes. A carrier opens connections, sends what next() gives, puts the
// body of each frame that comes where place_for() says, and then calls filled(). Who owns a session
// guards it with one mutex.
class Session {
 public:
  struct Settings {
    std::uint64_t window = 2;            // letters under way that the neighbour has not applied
    std::uint64_t retained = 16;         // letters that it has not kept
    std::uint32_t piece = 256 << 10;     // bytes: a pulse never waits behind more than one
    std::uint64_t most_bytes = 1 << 20;  // of a letter: what a neighbour may make us allocate
    double pulse_every = 2;              // seconds
    double silent_after = 8;             // then the connection is given up
    double dead_after = 7200;            // then the neighbour is lost
    // Letters count as kept once the application says so, when they are on its disk; else as soon
    // as they are taken.
    bool durable = false;
  };

  // Who talks with whom, and about what.
  struct Identity {
    StudyHash study{};
    std::string program = {};  // its version
    std::string own = {}, neighbour = {};
    std::uint64_t life = 0;
  };

  // What a site writes down so that the session goes on after a crash. It posts again, bit for bit
  // the same, what it had posted since.
  struct Memory {
    std::uint64_t life_there = 0, epoch = 0;
    std::uint64_t next_seq = 0, applied = 0;
    std::vector<Letter> outbox;  // posted and not known to be kept
  };

  Session(const Settings& settings, Identity identity);
  Session(const Settings& settings, Identity identity, Memory memory);

  // ---- For the application

  // Whether post() may be called: the edge has begun, its last start from zero was taken note of,
  // and not too much is under way.
  bool has_room() const;
  // The body has at least one byte, and nobody changes it any more.
  void post(std::uint64_t tag, std::shared_ptr<Body> body);
  std::optional<Incoming> take();
  // The body of a letter that was taken: the next one of its size comes into the same memory.
  void give_back(std::shared_ptr<Body> body);
  Memory remember() const;
  void keep(const Memory& memory);  // which is on the disk now; where sessions are durable
  // How large a letter may be from now on.
  void allow(std::uint64_t most_bytes) { settings_.most_bytes = most_bytes; }
  // No more will be posted. The neighbour hears of it when it has kept all letters.
  void say_bye() { bye_due_ = true; }
  bool is_up() const { return talk_ == Talk::up; }
  bool has_met() const { return life_there_ != 0; }
  bool has_left() const { return left_; }  // the neighbour has
  // It begins from zero, which the application has not heard of.
  bool begins_anew() const { return news_; }
  // Both have said bye. A carrier closes well only when it sees the other end close too: who leaves
  // earlier may leave a neighbour behind that never heard the bye.
  bool has_parted() const { return said_bye_ && left_; }
  std::uint64_t epoch() const { return epoch_; }
  std::uint64_t tag_there() const { return tag_there_; }      // of the neighbour's last letter
  std::uint64_t bytes_out() const { return bytes_out_; }      // of letters, those sent again too
  std::uint64_t connections() const { return connections_; }  // that came to a hello
  std::uint64_t letters_waiting() const { return next_seq_ - std::min(next_seq_, applied_there_); }

  // ---- For the carrier

  void open(double now);  // a new connection; the one before is gone
  void lost();            // the connection broke, or was given up
  std::optional<Outgoing> next(double now);
  // Where the body of a frame with this head goes; has its size. Throws Refused.
  std::span<std::byte> place_for(const Head& head);
  void filled(double now);        // the body is there. Throws Refused
  void sign_of_life(double now);  // a part of a body is one
  // Nothing more is said on this connection than why.
  void refuse(const std::string& reason);
  bool has_refused() const { return talk_ == Talk::refused; }
  bool is_silent(double now) const;
  void watch(double now);  // to be called now and then while there is no connection

 private:
  // Of the connection: none; ours is said and theirs not heard; both heard; it ends.
  enum class Talk { none, opened, up, refused };

  Outgoing hello();
  Outgoing next_piece();
  std::span<std::byte> place_for_piece(const Head& head);
  void greet(const Hello& theirs, double now);
  void check_partner(const Hello& theirs) const;
  void heard_pulse();
  void piece_is_there();

  std::uint64_t first_unkept() const { return next_seq_ - outbox_.size(); }
  void drop_kept(std::uint64_t kept);
  void start_from_zero(std::uint64_t epoch);
  void tell(News news);
  std::shared_ptr<Body> room_for(std::uint64_t size);

  Settings settings_;
  Identity identity_;
  std::uint64_t life_there_ = 0, epoch_ = 0;
  Talk talk_ = Talk::none;
  bool hello_due_ = false, pulse_due_ = false, bye_due_ = false;
  bool said_bye_ = false, left_ = false;
  bool news_ = false;  // a start from zero that the application has not heard of
  double opened_ = 0, last_heard_ = -1, last_pulse_ = 0;
  std::uint64_t connections_ = 0;
  std::string refusal_;
  // Out.
  std::deque<Letter> outbox_;  // posted and not known to be kept; the last is next_seq_ − 1
  std::uint64_t next_seq_ = 0, posted_tag_ = 0, tag_there_ = 0;
  std::uint64_t applied_there_ = 0, kept_there_ = 0;
  std::uint64_t sending_seq_ = 0, sending_offset_ = 0, bytes_out_ = 0;
  bool remembered_ = false;  // half a letter may have been posted by the process before this one
  // In.
  std::deque<Incoming> inbox_;
  std::uint64_t held_ = 0, applied_ = 0, kept_ = 0;  // letters that came, were taken, are safe
  std::shared_ptr<Body> partial_;                    // the one that comes, kept over a cut
  std::uint64_t partial_filled_ = 0, partial_tag_ = 0;
  Head coming_;  // of the frame whose body comes
  Body text_;    // body of a hello or a refusal
  std::vector<std::shared_ptr<Body>> spare_;
};

}  // namespace driftless::peers
