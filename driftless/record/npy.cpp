#include "driftless/record/npy.hpp"

#include <fmt/format.h>

#include <bit>
#include <string>

#include "driftless/base/file.hpp"

namespace driftless {

static_assert(std::endian::native == std::endian::little, "the file holds the bytes of memory");

template <class Real>
FileSum write_npy(const Folder& folder, const std::string& name, std::span<const Real> values,
                  std::span<const Index> shape) {
  std::string header =
      fmt::format("{{'descr': '<f{}', 'fortran_order': False, 'shape': ({}{}), }}", sizeof(Real),
                  fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  // Magic, version and the length of the header take 10 bytes; the data begin at a multiple of 64.
  const std::size_t unpadded = 10 + header.size() + 1;
  header.append((64 - unpadded % 64) % 64, ' ');
  header += '\n';

  std::string before("\x93NUMPY\x01\x00", 8);
  before += static_cast<char>(header.size() & 0xff);
  before += static_cast<char>(header.size() >> 8);
  before += header;
  const std::string_view numbers(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  AtomicFile file(folder, name);
  FileSum sum;
  for (const std::string_view part : {std::string_view(before), numbers}) {
    file.write(part);
    sum.add(part);
  }
  file.commit();
  return sum;
}

template FileSum write_npy(const Folder&, const std::string&, std::span<const float>,
                           std::span<const Index>);
template FileSum write_npy(const Folder&, const std::string&, std::span<const double>,
                           std::span<const Index>);

}  // namespace driftless
