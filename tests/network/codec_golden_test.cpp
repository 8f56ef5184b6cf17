#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/network/codec_cases.hpp"

// tests/golden/codecs.json has letters and draws of an independent implementation.
namespace driftless::testing {
namespace {

using nlohmann::json;

const json& golden_codecs() {
  static const json golden = json::parse(std::ifstream(DRIFTLESS_TEST_DATA "/codecs.json"));
  return golden;
}

CompressionOptions golden_options(const json& codec, std::size_t d) {
  CompressionOptions options{.codec = codec["kind"]};
  if (options.codec == "int") options.codec += std::to_string(codec["bits"].get<int>());
  options.block = codec.value("block", options.block);
  options.levels = codec.value("levels", options.levels);
  options.unbiased = !codec.value("scaled", true);
  options.keep = codec.value("k", 1.0) / static_cast<double>(d);
  return options;
}

std::vector<std::byte> golden_payload(const json& golden) {
  const std::string hex = golden["payload_hex"];
  std::vector<std::byte> bytes;
  for (std::size_t k = 0; k < hex.size(); k += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(hex.substr(k, 2), nullptr, 16)));
  }
  return bytes;
}

// The payload of float is that of double with floats for the doubles from `first` to `end`.
std::vector<std::byte> with_floats(const std::vector<std::byte>& bytes, std::size_t first,
                                   std::size_t end) {
  std::vector<std::byte> shorter(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(first));
  for (; first < end; first += 8) {
    double number = 0;
    std::memcpy(&number, bytes.data() + first, 8);
    const auto four = std::bit_cast<std::array<std::byte, 4>>(static_cast<float>(number));
    shorter.insert(shorter.end(), four.begin(), four.end());
  }
  shorter.insert(shorter.end(), bytes.begin() + static_cast<std::ptrdiff_t>(end), bytes.end());
  return shorter;
}

template <class Real>
std::vector<std::byte> expected_payload(const json& golden) {
  std::vector<std::byte> bytes = golden_payload(golden);
  if (sizeof(Real) == 8) return bytes;
  const std::string kind = golden["codec"]["kind"];
  if (kind == "int" || kind == "bf16") return bytes;
  if (kind == "qsgd" || kind == "sign") return with_floats(bytes, 0, 8);
  return with_floats(bytes, bytes.size() - 8 * golden["codec"]["k"].get<std::size_t>(),
                     bytes.size());
}

// A draw of which rand_k takes the numbers that it took, or of which the dithers round as those
// did: tried until one is found.
template <class Real>
Letter<Real> letter_of_some_draw(const json& golden, const std::vector<std::byte>& payload) {
  const Row<Real> v = golden["input"];
  const CompressionOptions options = golden_options(golden["codec"], v.size());
  Letter<Real> letter;
  for (Round t = 0; t < 2000 && letter.bytes != payload; ++t) {
    letter = packed(options, v, {.seed = 1, .round = t});
  }
  return letter;
}

template <class Real>
void expect_golden(const json& golden) {
  SCOPED_TRACE(golden["codec"].dump());
  const auto payload = expected_payload<Real>(golden);
  const auto letter = letter_of_some_draw<Real>(golden, payload);
  EXPECT_EQ(letter.bytes.size(), golden[sizeof(Real) == 8 ? "bytes" : "bytes_float"]);
  EXPECT_EQ(letter.bytes, payload);
  const Row<double> output = golden["output"];
  ASSERT_EQ(letter.numbers.size(), output.size());
  for (std::size_t j = 0; j < output.size(); ++j) {
    EXPECT_EQ(letter.numbers[j], static_cast<Real>(output[j])) << "number " << j;
  }
}

TEST(CodecGolden, LettersOfDoublesAreThoseOfTheVectors) {
  for (const json& golden : golden_codecs()["codecs"]) expect_golden<double>(golden);
}

TEST(CodecGolden, LettersOfFloatsAreThoseOfTheVectors) {
  for (const json& golden : golden_codecs()["codecs"]) expect_golden<float>(golden);
}

Draw golden_draw(const json& golden) {
  return {.seed = golden["seed"],
          .node = golden["node"],
          .round = golden["round"],
          .step = golden["letter"]};
}

TEST(CodecGolden, RandKKeepsTheNumbersThatWereDrawn) {
  for (const json& golden : golden_codecs()["draws"]["rand_k"]) {
    const auto d = golden["d"].get<std::size_t>();
    const CompressionOptions options{.codec = "rand_k",
                                     .keep = golden["k"].get<double>() / static_cast<double>(d)};
    const auto letter = packed(options, Row<double>(d, 1), golden_draw(golden));
    Row<double> expected(d);
    for (const std::size_t j : golden["kept"]) expected[j] = 1;
    EXPECT_EQ(letter.numbers, expected);
  }
}

// All numbers are |v|_2 / 4, of which level is 1 where the dither is at least 3/4 and 0 below.
TEST(CodecGolden, QsgdDithersWithTheNumbersThatWereDrawn) {
  const json& golden = golden_codecs()["draws"]["dither"];
  const Draw draw = golden_draw(golden);
  const Row<double> u = golden["u"];
  Row<double> v(16, 1);
  const auto letter = packed({.codec = "qsgd", .levels = 1, .unbiased = true}, v, draw);
  for (std::size_t j = 0; j < u.size(); ++j) {
    EXPECT_EQ(word(draw, Purpose::compression, j) * 0x1p-32, u[j]);
    EXPECT_EQ(letter.numbers[j], u[j] >= 0.75 ? 4 : 0);
  }
}

}  // namespace
}  // namespace driftless::testing
