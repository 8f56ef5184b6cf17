#include "driftless/base/byte_reader.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>

#include "driftless/base/error.hpp"

namespace driftless {

struct ByteReader::Inflater {
  Inflater() {
    constexpr int gzip_with_largest_window = 15 + 16;
    if (inflateInit2(&stream, gzip_with_largest_window) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream stream{};
  bool between_members = false;  // a file may hold several packed parts, one after the other
};

ByteReader::ByteReader(const std::filesystem::path& path)
    : file_(path), buffer_(std::size_t{1} << 14) {
  fill();
  packed_ = filled_ >= 2 && buffer_[0] == '\x1f' && buffer_[1] == '\x8b';
  if (packed_) inflater_ = std::make_unique<Inflater>();
}

ByteReader::~ByteReader() = default;

void ByteReader::fill() {
  behind_ += filled_;
  used_ = 0;
  filled_ = file_.read(buffer_.data(), buffer_.size());
}

std::uint64_t ByteReader::most_bytes() const {
  return packed_ ? most_unpacked(file_size()) : file_size();
}

std::size_t ByteReader::read(char* out, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    if (used_ == filled_) fill();
    std::size_t more = 0;
    if (packed_) {
      more = unpack(out + done, size - done);
    } else {
      more = std::min(size - done, filled_ - used_);
      std::copy_n(buffer_.data() + used_, more, out + done);
      used_ += more;
    }
    if (more == 0 && filled_ == 0) break;
    done += more;
  }
  return done;
}

std::size_t ByteReader::unpack(char* out, std::size_t size) {
  z_stream& stream = inflater_->stream;
  if (filled_ == 0) {
    if (inflater_->between_members) return 0;
    throw DataError("{}: byte {}: ends within its packed data; it was cut off", name(), behind_);
  }
  if (inflater_->between_members) {
    inflateReset(&stream);
    inflater_->between_members = false;
  }
  constexpr std::size_t at_most = std::size_t{1} << 30;  // zlib counts in 32 bits
  stream.next_in = reinterpret_cast<Bytef*>(buffer_.data() + used_);
  stream.avail_in = static_cast<uInt>(filled_ - used_);
  stream.next_out = reinterpret_cast<Bytef*>(out);
  stream.avail_out = static_cast<uInt>(std::min(size, at_most));
  const uInt wanted = stream.avail_out;
  const int result = inflate(&stream, Z_NO_FLUSH);
  used_ = filled_ - stream.avail_in;
  if (result == Z_STREAM_END) {
    inflater_->between_members = true;
  } else if (result != Z_OK && result != Z_BUF_ERROR) {
    throw DataError("{}: byte {}: the packed data are damaged: {}", name(), behind_ + used_,
                    stream.msg != nullptr ? stream.msg : "no gzip");
  }
  const std::size_t more = wanted - stream.avail_out;
  unpacked_ += more;
  if (unpacked_ > most_unpacked(behind_ + used_)) {
    throw DataError(
        "{}: byte {}: unpacks to more than {} times its size, as no data do; if these are your "
        "data, unpack the file with gunzip",
        name(), behind_ + used_, most_times_packed);
  }
  return more;
}

std::string ByteReader::place(std::uint64_t byte) const {
  return fmt::format("{}: byte {}{}", name(), byte, packed_ ? " unpacked" : "");
}

}  // namespace driftless
