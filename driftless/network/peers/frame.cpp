#include "driftless/network/peers/frame.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace driftless::peers {
namespace {

// Epochs grow by one at each restart: more than that were never counted.
constexpr std::uint64_t most_epochs = std::uint64_t{1} << 32;

template <class Number>
void put(std::byte*& to, Number number) {
  for (std::size_t k = 0; k < sizeof number; ++k) {
    *to++ = static_cast<std::byte>(number >> (8 * k));
  }
}

template <class Number>
Number get(const std::byte*& from) {
  Number number = 0;
  for (std::size_t k = 0; k < sizeof number; ++k) {
    number |= static_cast<Number>(static_cast<Number>(*from++) << (8 * k));
  }
  return number;
}

struct Limits {
  std::uint32_t least = 0, most = 0;
  bool has_numbers = false;
};

Limits limits_of(Kind kind) {
  switch (kind) {
    case Kind::hello:
      return {1, most_hello_bytes, false};
    case Kind::refusal:
      return {0, most_reason_bytes, false};
    case Kind::piece:
      return {1, most_piece_bytes, true};
    case Kind::pulse:
      return {0, 0, true};
    case Kind::bye:
      return {0, 0, false};
  }
  throw Refused(
      fmt::format("sends frames of the unknown kind {}", static_cast<std::uint32_t>(kind)));
}

class HelloReader {
 public:
  explicit HelloReader(std::span<const std::byte> bytes) : left_(bytes) {}

  template <class Number>
  Number number() {
    const std::byte* from = take(sizeof(Number)).data();
    return get<Number>(from);
  }
  std::span<const std::byte> take(std::size_t size) {
    if (size > left_.size()) throw Refused("sends a hello that is cut off");
    const auto taken = left_.first(size);
    left_ = left_.subspan(size);
    return taken;
  }
  std::string text() {
    const auto size = number<std::uint8_t>();
    if (size > most_name_bytes) throw Refused("sends a hello with a name that is too long");
    const auto bytes = take(size);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  bool at_end() const { return left_.empty(); }

 private:
  std::span<const std::byte> left_;
};

}  // namespace

HeadBytes packed(const Head& head) {
  HeadBytes bytes;
  std::byte* to = bytes.data();
  put(to, static_cast<std::uint32_t>(head.kind));
  put(to, head.size);
  for (const std::uint64_t number : head.numbers) put(to, number);
  return bytes;
}

Head unpack_head(std::span<const std::byte, head_bytes> bytes) {
  const std::byte* from = bytes.data();
  Head head;
  head.kind = static_cast<Kind>(get<std::uint32_t>(from));
  head.size = get<std::uint32_t>(from);
  for (std::uint64_t& number : head.numbers) number = get<std::uint64_t>(from);
  const Limits limits = limits_of(head.kind);
  if (head.size < limits.least || head.size > limits.most) {
    throw Refused(fmt::format("sends a frame of {} bytes, where {} to {} are allowed", head.size,
                              limits.least, limits.most));
  }
  if (!limits.has_numbers && std::ranges::any_of(head.numbers, [](auto n) { return n != 0; })) {
    throw Refused("sends numbers with a frame that has none");
  }
  return head;
}

Body packed(const Hello& hello) {
  Body body(most_hello_bytes);
  std::byte* to = body.data();
  put(to, hello.version);
  to = std::ranges::copy(hello.study, to).out;
  for (const std::string* text : {&hello.program, &hello.from, &hello.to}) {
    const std::string_view cut = std::string_view(*text).substr(0, most_name_bytes);
    put(to, static_cast<std::uint8_t>(cut.size()));
    to = std::ranges::copy(std::as_bytes(std::span(cut)), to).out;
  }
  for (const std::uint64_t number :
       {hello.life, hello.your_life, hello.epoch, hello.first, hello.seq, hello.offset}) {
    put(to, number);
  }
  body.resize(static_cast<std::size_t>(to - body.data()));
  return body;
}

Hello unpack_hello(std::span<const std::byte> bytes) {
  HelloReader reader(bytes);
  Hello hello;
  hello.version = reader.number<std::uint32_t>();
  if (hello.version != protocol_version) {
    throw Refused(
        fmt::format("speaks version {} of the protocol, and the other end version {}; "
                    "install the same version of driftless at both sites",
                    hello.version, protocol_version));
  }
  std::ranges::copy(reader.take(hello.study.size()), hello.study.begin());
  for (std::string* text : {&hello.program, &hello.from, &hello.to}) *text = reader.text();
  for (std::uint64_t* number :
       {&hello.life, &hello.your_life, &hello.epoch, &hello.first, &hello.seq, &hello.offset}) {
    *number = reader.number<std::uint64_t>();
  }
  if (!reader.at_end()) throw Refused("sends a hello that is too long");
  if (hello.life == 0) throw Refused("sends a hello without a life");
  if (hello.epoch >= most_epochs || hello.first > hello.seq + most_epochs) {
    throw Refused("sends a hello with numbers that were never counted");
  }
  return hello;
}

std::string plain_words(std::string_view reason) {
  std::string words(reason.substr(0, most_reason_bytes));
  for (char& c : words) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte > 0x7e) c = '?';
  }
  return words;
}

}  // namespace driftless::peers
