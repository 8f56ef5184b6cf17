#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "driftless/base/regular_file.hpp"

namespace driftless {

// What so many packed bytes may unpack to. Data pack to a tenth or so; what packs to a thousandth
// is made to fill the memory of whoever unpacks it. A small file may hold anything.
inline constexpr std::uint64_t most_times_packed = 100;
constexpr std::uint64_t most_unpacked(std::uint64_t packed_bytes) {
  return 16'000'000 + most_times_packed * packed_bytes;
}

// The bytes of a regular file in order. A file whose first two bytes are those of gzip is unpacked
// on the way. Every error is a DataError that names the file and the byte.
class ByteReader {
 public:
  explicit ByteReader(const std::filesystem::path& path);
  ~ByteReader();
  ByteReader(const ByteReader&) = delete;
  ByteReader& operator=(const ByteReader&) = delete;

  // Fewer than `size` bytes only where the file ends.
  std::size_t read(char* out, std::size_t size);

  bool packed() const { return packed_; }
  std::uint64_t file_size() const { return file_.size(); }  // packed or not
  // No more bytes than that come out: a packed file that unpacks to more than 100 times its size
  // and 16 MB is refused, wherever this shows.
  std::uint64_t most_bytes() const;

  // What an error begins with: the file, and a byte of it, counted after unpacking.
  std::string name() const { return file_.name(); }
  std::string place(std::uint64_t byte) const;

 private:
  struct Inflater;

  void fill();
  std::size_t unpack(char* out, std::size_t size);

  RegularFile file_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;      // bytes of the buffer that were handed out
  std::size_t filled_ = 0;    // bytes of the buffer that are there
  std::uint64_t behind_ = 0;  // bytes of the file before the buffer
  std::uint64_t unpacked_ = 0;
  bool packed_ = false;
  std::unique_ptr<Inflater> inflater_;
};

}  // namespace driftless
