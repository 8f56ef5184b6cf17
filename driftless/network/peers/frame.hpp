#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// What goes over a connection between two peers: frames, each a head of a fixed size and a body.
// Every number is little-endian.
namespace driftless::peers {

// Of the frames and of what they mean. Peers of different versions refuse each other.
inline constexpr std::uint32_t protocol_version = 1;

// One end will not go on with the other: its frames break the rules, or the two do not share what
// they must. The message is for the people at both sites.
class Refused : public std::runtime_error {
 public:
  enum class By { us, them };
  explicit Refused(const std::string& reason, By who = By::us)
      : std::runtime_error(reason), by_(who) {}
  By by() const { return by_; }

 private:
  By by_;
};

enum class Kind : std::uint32_t {
  hello = 1,  // the first frame each way
  refusal,    // the last one: its body is the reason
  piece,      // of a letter: `numbers` are seq, tag, total and offset
  pulse,      // a sign of life and receipt: held, applied, kept and tag
  bye,        // the sender posts no more, and all it posted was kept
};

struct Head {
  Kind kind = Kind::bye;
  std::uint32_t size = 0;  // of the body
  std::array<std::uint64_t, 4> numbers{};

  bool operator==(const Head&) const = default;
};

inline constexpr std::size_t head_bytes = 40;
inline constexpr std::uint32_t most_hello_bytes = 1024;
inline constexpr std::uint32_t most_reason_bytes = 512;
inline constexpr std::uint32_t most_piece_bytes = 1 << 20;
inline constexpr std::size_t most_name_bytes = 253;  // what DNS allows

using Body = std::vector<std::byte>;
using HeadBytes = std::array<std::byte, head_bytes>;

HeadBytes packed(const Head& head);
// Throws Refused for bytes that are the head of no frame.
Head unpack_head(std::span<const std::byte, head_bytes> bytes);

// SHA-256 of what all sites must share; never of data, paths or addresses.
using StudyHash = std::array<std::byte, 32>;

struct Hello {
  std::uint32_t version = protocol_version;
  StudyHash study{};
  std::string program = {};  // its version
  std::string from = {};     // names of the two ends, as in their certificates
  std::string to = {};
  std::uint64_t life = 0;       // drawn when a site begins with nothing
  std::uint64_t your_life = 0;  // as the sender knows it; 0: they have not met
  std::uint64_t epoch = 0;      // how often the edge was started from zero
  std::uint64_t first = 0;      // the first letter that the sender still has
  std::uint64_t seq = 0;        // the letter that it needs next …
  std::uint64_t offset = 0;     // … and how many of its bytes it has

  bool operator==(const Hello&) const = default;
};

Body packed(const Hello& hello);
// Throws Refused. Of another version no more than this is looked at.
Hello unpack_hello(std::span<const std::byte> bytes);

// A reason as it goes into a frame and as it may be shown: cut to what is allowed, with nothing
// that a terminal would obey.
std::string plain_words(std::string_view reason);

}  // namespace driftless::peers
