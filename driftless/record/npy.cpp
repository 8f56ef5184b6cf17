#include "driftless/record/npy.hpp"

#include <fmt/format.h>

#include <bit>
#include <string>

#include "driftless/base/file.hpp"

namespace driftless {

static_assert(std::endian::native == std::endian::little, "the file holds the bytes of memory");

template <class Real>
void write_npy(const std::filesystem::path& path, std::span<const Real> values,
               std::span<const Index> shape) {
  std::string header =
      fmt::format("{{'descr': '<f{}', 'fortran_order': False, 'shape': ({}{}), }}", sizeof(Real),
                  fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  // Magic, version and the length of the header take 10 bytes; the data begin at a multiple of 64.
  const std::size_t unpadded = 10 + header.size() + 1;
  header.append((64 - unpadded % 64) % 64, ' ');
  header += '\n';

  std::string contents("\x93NUMPY\x01\x00", 8);
  contents += static_cast<char>(header.size() & 0xff);
  contents += static_cast<char>(header.size() >> 8);
  contents += header;
  contents.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  write_file_atomically(path, contents);
}

template void write_npy(const std::filesystem::path&, std::span<const float>,
                        std::span<const Index>);
template void write_npy(const std::filesystem::path&, std::span<const double>,
                        std::span<const Index>);

}  // namespace driftless
