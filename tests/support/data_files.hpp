#pragma once

#include <zlib.h>

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/support/temporary_folder.hpp"

namespace driftless::testing {

// An IDX file: the magic number and each dimension in four bytes, then the contents.
inline std::string idx(std::uint32_t magic, std::initializer_list<std::uint32_t> shape,
                       std::string_view contents) {
  std::string bytes;
  const auto append = [&bytes](std::uint32_t value) {
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(value >> shift);
  };
  append(magic);
  for (const std::uint32_t extent : shape) append(extent);
  return bytes.append(contents);
}

inline constexpr std::uint32_t images_magic = 0x803;
inline constexpr std::uint32_t labels_magic = 0x801;

inline std::string gzip(std::string_view bytes) {
  z_stream stream{};
  constexpr int gzip_format = 15 + 16;
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_format, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::runtime_error("deflateInit2");
  }
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int result = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) throw std::runtime_error("deflate");
  return packed;
}

// Three images of 2 x 2 with the labels 0, 2, 1 to train, and one with the label 2 to test.
inline const std::string train_pixels("\0\0\0\0\xff\xff\0\0\x33\x66\x99\xcc", 12);
inline void write_small_images(const TemporaryFolder& folder) {
  using namespace std::string_view_literals;
  folder.write("train-images-idx3-ubyte", idx(images_magic, {3, 2, 2}, train_pixels));
  folder.write("train-labels-idx1-ubyte", idx(labels_magic, {3}, "\0\2\1"sv));
  folder.write("t10k-images-idx3-ubyte", idx(images_magic, {1, 2, 2}, "\1\2\3\4"));
  folder.write("t10k-labels-idx1-ubyte", idx(labels_magic, {1}, "\2"));
}

// What the error says that the action throws; empty when it throws none.
template <class Error, class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace driftless::testing
