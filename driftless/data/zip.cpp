#include "driftless/data/zip.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <utility>

#include "driftless/base/byte_reader.hpp"
#include "driftless/base/error.hpp"

namespace driftless {
namespace {

// The numbers and texts of an archive, all little endian.
class ZipBytes {
 public:
  ZipBytes(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  std::string_view at(std::uint64_t begin, std::uint64_t size) const {
    if (begin > bytes_.size() || size > bytes_.size() - begin) {
      throw DataError("{}: is a damaged archive: {} bytes at byte {} lie beyond its end", name_,
                      size, begin);
    }
    return bytes_.substr(begin, size);
  }
  std::uint32_t number(std::uint64_t begin, std::uint64_t size) const {
    std::uint32_t value = 0;
    const std::string_view bytes = at(begin, size);
    for (std::size_t k = bytes.size(); k-- > 0;) {
      value = (value << 8) | static_cast<unsigned char>(bytes[k]);
    }
    return value;
  }
  void expect(std::uint64_t begin, std::string_view signature) const {
    if (at(begin, signature.size()) != signature) {
      throw DataError("{}: is a damaged archive: no entry at byte {}", name_, begin);
    }
  }

 private:
  std::string_view bytes_;
  const std::string& name_;
};

constexpr std::string_view end_signature("PK\5\6", 4);
constexpr std::string_view directory_signature("PK\1\2", 4);
constexpr std::string_view entry_signature("PK\3\4", 4);
constexpr std::uint64_t end_size = 22;
constexpr std::uint64_t directory_entry_size = 46;
constexpr std::uint64_t entry_header_size = 30;
constexpr std::uint32_t in_zip64 = 0xffffffff;  // the number is elsewhere: it needs 64 bits

// Where an entry begins and ends in the archive.
using Extent = std::pair<std::uint64_t, std::uint64_t>;

struct LocatedEntry {
  ZipEntry entry;
  Extent extent;
};

// The entry that the directory lists at the byte `at`.
LocatedEntry located_entry(const ZipBytes& bytes, std::uint64_t at, const std::string& name) {
  bytes.expect(at, directory_signature);
  const std::uint32_t method = bytes.number(at + 10, 2);
  const std::uint32_t packed_size = bytes.number(at + 20, 4);
  const std::uint32_t size = bytes.number(at + 24, 4);
  const std::uint32_t begin = bytes.number(at + 42, 4);
  const std::string_view entry_name = bytes.at(at + directory_entry_size, bytes.number(at + 28, 2));
  if (packed_size == in_zip64 || size == in_zip64 || begin == in_zip64) {
    throw DataError("{}: an array of 4 GB or more; save it by itself as .npy", name);
  }
  const bool encrypted = (bytes.number(at + 8, 2) & 1U) != 0;
  if (encrypted || (method != 0 && method != 8) || (method == 0 && packed_size != size)) {
    throw DataError("{}: an entry packed in a way that numpy does not write; save it anew", name);
  }
  bytes.expect(begin, entry_signature);
  const std::uint64_t contents = std::uint64_t{begin} + entry_header_size +
                                 bytes.number(begin + std::uint64_t{26}, 2) +
                                 bytes.number(begin + std::uint64_t{28}, 2);
  return {{.name = std::string(entry_name),
           .packed = bytes.at(contents, packed_size),
           .size = size,
           .sum = bytes.number(at + 16, 4),
           .deflated = method == 8},
          {begin, contents + packed_size}};
}

}  // namespace

std::vector<ZipEntry> zip_entries(std::string_view archive, const std::string& name) {
  const std::size_t end = archive.rfind(end_signature);
  if (end == std::string_view::npos || archive.size() - end < end_size) {
    throw DataError("{}: is an archive without its end; it was cut off", name);
  }
  const ZipBytes bytes(archive, name);
  const std::uint32_t count = bytes.number(end + 10, 2);
  const std::uint32_t directory = bytes.number(end + 16, 4);
  if (directory == in_zip64) {
    throw DataError("{}: an archive of 4 GB or more; save its arrays by themselves as .npy", name);
  }
  std::vector<ZipEntry> entries;
  std::vector<Extent> extents = {{directory, archive.size()}};
  std::uint64_t at = directory;
  for (std::uint32_t k = 0; k < count; ++k) {
    LocatedEntry located = located_entry(bytes, at, name);
    at += directory_entry_size + bytes.number(at + 28, 2) + bytes.number(at + 30, 2) +
          bytes.number(at + 32, 2);
    entries.push_back(std::move(located.entry));
    extents.push_back(located.extent);
  }
  std::ranges::sort(extents);
  for (std::size_t k = 1; k < extents.size(); ++k) {
    if (extents[k].first < extents[k - 1].second) {
      throw DataError("{}: is a damaged archive: entries overlap at byte {}", name,
                      extents[k].first);
    }
  }
  return entries;
}

std::string unzip(const ZipEntry& entry, const std::string& name) {
  if (entry.size > most_unpacked(entry.packed.size())) {
    throw DataError("{}: {} unpacks to more than {} times its size, as no data do; if these are {}",
                    name, entry.name, most_times_packed, "your data, use numpy.savez instead");
  }
  std::string bytes(entry.packed);
  bool whole = true;
  if (entry.deflated) {
    bytes.assign(entry.size + 1, '\0');  // a byte more shows where the entry is longer than it says
    z_stream stream{};
    constexpr int without_header = -15;
    if (inflateInit2(&stream, without_header) != Z_OK) throw std::bad_alloc();
    stream.next_in =
        reinterpret_cast<Bytef*>(const_cast<char*>(entry.packed.data()));  // zlib only reads it
    stream.avail_in = static_cast<uInt>(entry.packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_out = static_cast<uInt>(bytes.size());
    whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0;
    bytes.resize(stream.total_out);
    inflateEnd(&stream);
  }
  const auto* data = reinterpret_cast<const Bytef*>(bytes.data());
  if (!whole || bytes.size() != entry.size || crc32_z(0, data, bytes.size()) != entry.sum) {
    throw DataError("{}: {} is damaged: it does not unpack to what its archive says", name,
                    entry.name);
  }
  return bytes;
}

}  // namespace driftless
