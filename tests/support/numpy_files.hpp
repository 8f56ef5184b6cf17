#pragma once

#include <fmt/format.h>
#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/data_files.hpp"

namespace driftless::testing {

inline std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int k = 0; k < bytes; ++k) text += static_cast<char>(value >> (8 * k));
  return text;
}

template <class Number>
std::string bytes_of(const std::vector<Number>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

// A .npy file of any header, which need not be true.
inline std::string npy_with_header(const std::string& header, std::string_view contents,
                                   int version = 1) {
  const std::string length = little_endian(header.size(), version == 1 ? 2 : 4);
  std::string bytes = "\x93NUMPY" + little_endian(static_cast<std::uint64_t>(version), 2);
  return bytes.append(length).append(header).append(contents);
}

inline std::string zeros(std::size_t count) { return std::string(count, '\0'); }

// The shape is as Python writes it: "(3, 2)".
inline std::string npy(const std::string& type, const std::string& shape, std::string_view contents,
                       bool fortran_order = false, int version = 1) {
  return npy_with_header(fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}   \n",
                                     type, fortran_order ? "True" : "False", shape),
                         contents, version);
}

// What the two headers of a file in an archive say; a test makes them lie.
struct Zipped {
  std::string name;
  std::string contents;  // as they are in the archive
  std::uint64_t size = contents.size();
  std::uint64_t sum =
      crc32(0, reinterpret_cast<const Bytef*>(contents.data()), static_cast<uInt>(contents.size()));
  int method = 0;
  std::uint64_t packed_size = contents.size();
};

inline Zipped deflated(const std::string& name, const std::string& contents) {
  // A gzip file is a header of 10 bytes, the deflated data, and 8 bytes of sums.
  const std::string packed = gzip(contents);
  Zipped file{.name = name, .contents = packed.substr(10, packed.size() - 18)};
  file.size = contents.size();
  file.sum = Zipped{.name = name, .contents = contents}.sum;
  file.method = 8;
  return file;
}

inline std::string zip(const std::vector<Zipped>& files) {
  std::string bytes;
  std::string directory;
  for (const Zipped& file : files) {
    const std::string shared = little_endian(20, 2) + little_endian(0, 2) +
                               little_endian(static_cast<std::uint64_t>(file.method), 2) +
                               little_endian(0, 4) + little_endian(file.sum, 4) +
                               little_endian(file.packed_size, 4) + little_endian(file.size, 4) +
                               little_endian(file.name.size(), 2) + little_endian(0, 2);
    directory += "PK\1\2" + little_endian(20, 2) + shared + little_endian(0, 10) +
                 little_endian(bytes.size(), 4) + file.name;
    bytes += "PK\3\4" + shared + file.name + file.contents;
  }
  const std::string count = little_endian(files.size(), 2);
  return bytes + directory + "PK\5\6" + little_endian(0, 4) + count + count +
         little_endian(directory.size(), 4) + little_endian(bytes.size(), 4) + little_endian(0, 2);
}

}  // namespace driftless::testing
