#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

// What a .npy file says of its array.
struct NpyHeader {
  char kind = 'f';             // f, i, u: numbers; b: booleans; U: texts
  std::uint64_t item = 0;      // bytes of an element
  bool fortran_order = false;  // column by column
  std::vector<std::uint64_t> shape{};
  std::uint64_t elements = 0;
  std::size_t begin = 0;  // the first byte of the array
};

// Reads magic number, version and the header, which is a dictionary as Python writes it, and checks
// that the array is of a kind that is read and takes exactly the bytes that follow. Throws
// DataError that begins with `name`.
NpyHeader parse_npy_header(std::string_view bytes, const std::string& name);

}  // namespace driftless
