#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace driftless {

// The bytes of a file in order. A file whose first two bytes are those of gzip is unpacked on the
// way. Every error is a DataError that names the file and the byte.
class ByteReader {
 public:
  explicit ByteReader(const std::filesystem::path& path);
  ~ByteReader();
  ByteReader(const ByteReader&) = delete;
  ByteReader& operator=(const ByteReader&) = delete;

  // Fewer than `size` bytes only where the file ends.
  std::size_t read(char* out, std::size_t size);

  bool packed() const { return packed_; }
  // The size of the file itself, packed or not; 0 for a pipe and whatever else has no size.
  std::uint64_t file_size() const { return file_size_; }

  // What an error begins with: the file, and a byte of it, counted after unpacking.
  std::string name() const { return path_.string(); }
  std::string place(std::uint64_t byte) const;

 private:
  struct Inflater;

  void fill();
  std::size_t unpack(char* out, std::size_t size);

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::uint64_t file_size_ = 0;
  std::vector<char> buffer_;
  std::size_t used_ = 0;      // bytes of the buffer that were handed out
  std::size_t filled_ = 0;    // bytes of the buffer that are there
  std::uint64_t behind_ = 0;  // bytes of the file before the buffer
  bool packed_ = false;
  std::unique_ptr<Inflater> inflater_;
};

}  // namespace driftless
