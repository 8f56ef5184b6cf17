#include "driftless/experiment/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "driftless/base/byte_reader.hpp"
#include "driftless/base/file.hpp"
#include "driftless/base/version.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "the file holds the bytes of memory");

constexpr std::string_view magic = "driftless checkpoint\n";
constexpr std::uint32_t format_version = 1;
constexpr std::uint32_t longest_header = 1 << 24;
constexpr std::size_t before_header = magic.size() + 2 * sizeof(std::uint32_t);

bool hosts_first(const Network& network) { return network.hosted().first == 0; }

template <class Number>
std::string_view bytes_of(const Number* numbers, std::size_t count) {
  return {reinterpret_cast<const char*>(numbers), count * sizeof(Number)};
}

template <class Real>
std::string_view bytes_of(const Rows<Real>& rows) {
  return bytes_of(rows.row(rows.hosted().first),
                  static_cast<std::size_t>(rows.hosted().size() * rows.dim()));
}

// A file that sums what goes into it.
class SummedFile {
 public:
  explicit SummedFile(const SavePlace& place) : file_(*place.folder, place.name) {}
  void write(std::string_view bytes) {
    sum_.add(bytes);
    file_.write(bytes);
  }
  void commit() {
    file_.write(bytes_of(&sum_.crc, 1));
    file_.commit();
  }

 private:
  AtomicFile file_;
  FileSum sum_;
};

// The same, read.
class SummedReader {
 public:
  explicit SummedReader(const fs::path& path) : file_(path) {
    if (file_.packed()) throw DamagedCheckpoint("{}: is gzip, expected a checkpoint", file_.name());
  }
  ByteReader& file() { return file_; }
  std::string read(std::size_t size) {
    std::string bytes(size, '\0');
    bytes.resize(file_.read(bytes.data(), size));
    sum_.add(bytes);
    return bytes;
  }
  std::uint32_t number() {
    const std::string bytes = read(sizeof(std::uint32_t));
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
  }
  void skip(std::uint64_t size) {
    constexpr std::uint64_t piece = 1 << 20;
    for (; size > 0; size -= std::min(size, piece)) read(std::min(size, piece));
  }
  std::uint32_t sum() const { return sum_.crc; }

 private:
  ByteReader file_;
  FileSum sum_;
};

}  // namespace

template <class Real>
void write_checkpoint(const SavePlace& place, const RunIdentity& identity,
                      const RunPosition& position, const std::vector<NamedRows<Real>>& rows,
                      const Network& network) {
  const Rows<Real> kept = network.template state<Real>();
  std::unique_ptr<SummedFile> file;
  if (hosts_first(network) && place.folder != nullptr) {
    Checkpoint checkpoint{.file = {},
                          .identity = identity,
                          .version = version(),
                          .rows_before = place.rows_before,
                          .position = position,
                          .nodes = network.nodes(),
                          .dim = rows.front().rows->dim(),
                          .number_bytes = sizeof(Real),
                          .network_dim = kept.dim()};
    for (const NamedRows<Real>& each : rows) checkpoint.rows.emplace_back(each.name);
    const std::string header = header_of(checkpoint);
    const auto length = static_cast<std::uint32_t>(header.size());
    file = std::make_unique<SummedFile>(place);
    file->write(magic);
    file->write(bytes_of(&format_version, 1));
    file->write(bytes_of(&length, 1));
    file->write(header);
  }
  Rows<Real> room;
  for (const NamedRows<Real>& each : rows) {
    const Rows<Real>& collected = network.collect(*each.rows, room);
    if (file) file->write(bytes_of(collected));
  }
  if (kept.dim() > 0) {
    const Rows<Real>& collected = network.collect(kept, room);
    if (file) file->write(bytes_of(collected));
  }
  if (file) file->commit();
}

Checkpoint read_checkpoint(const fs::path& path) {
  SummedReader reader(path);
  const ByteReader& file = reader.file();
  if (reader.read(magic.size()) != magic) {
    throw DamagedCheckpoint("{}: is not a checkpoint of driftless", file.name());
  }
  const std::uint32_t format = reader.number();
  if (file.file_size() < before_header) {
    throw DamagedCheckpoint("{}: has {} bytes; the checkpoint was cut off", file.name(),
                            file.file_size());
  }
  if (format != format_version) {
    throw DataError(
        "{}: is a checkpoint of format {}, expected {}; resume with the version of driftless that "
        "wrote it",
        file.name(), format, format_version);
  }
  const std::uint32_t length = reader.number();
  if (length > longest_header || before_header + length > file.file_size()) {
    throw DamagedCheckpoint("{}: claims a header of {} bytes; the checkpoint is damaged",
                            file.name(), length);
  }
  Checkpoint checkpoint = parse_header(reader.read(length), path);
  checkpoint.rows_begin = before_header + length;
  const std::uint64_t expected =
      checkpoint.rows_begin + checkpoint.row_bytes() + sizeof(std::uint32_t);
  if (file.file_size() != expected) {
    throw DamagedCheckpoint("{}: has {} bytes, expected {}; the checkpoint was cut off or changed",
                            file.name(), file.file_size(), expected);
  }
  reader.skip(checkpoint.row_bytes());
  const std::uint32_t sum = reader.sum();
  if (reader.number() != sum) {
    throw DamagedCheckpoint("{}: does not have the sum that it claims; the checkpoint is damaged",
                            file.name());
  }
  return checkpoint;
}

namespace {

template <class Real>
void check_fit(const Checkpoint& checkpoint, const std::vector<NamedRows<Real>>& state,
               const Network& network) {
  if (std::ranges::equal(state, checkpoint.rows, {}, &NamedRows<Real>::name) &&
      checkpoint.nodes == network.nodes() && checkpoint.dim == state.front().rows->dim() &&
      checkpoint.number_bytes == sizeof(Real)) {
    return;
  }
  throw DataError(
      "{}: holds {} of {} nodes with {} numbers of {} bytes, which this run does "
      "not have; begin it again with --force",
      checkpoint.file.string(), fmt::join(checkpoint.rows, ", "), checkpoint.nodes, checkpoint.dim,
      checkpoint.number_bytes);
}

}  // namespace

template <class Real>
void restore(const Checkpoint& checkpoint, Algorithm<Real>& algorithm, Network& network) {
  const RunPosition& at = checkpoint.position;
  std::unique_ptr<ByteReader> file;
  if (hosts_first(network)) {
    file = std::make_unique<ByteReader>(checkpoint.file);
    std::string before(checkpoint.rows_begin, '\0');
    file->read(before.data(), before.size());
  }
  const auto read_into = [&](Rows<Real>& rows) {
    Rows<Real> all;
    if (file) {
      all = Rows<Real>({0, network.nodes()}, rows.dim());
      const std::size_t size = bytes_of(all).size();
      if (file->read(reinterpret_cast<char*>(all.row(0)), size) != size) {
        throw DataError("{}: was cut off while it was read", file->name());
      }
    }
    network.distribute(all, rows);
  };
  algorithm.resume(at.round, at.gradients, [&](const std::vector<NamedRows<Real>>& state) {
    check_fit(checkpoint, state, network);
    for (const NamedRows<Real>& each : state) read_into(*each.rows);
    Rows<Real> kept(network.hosted(), checkpoint.network_dim);
    if (kept.dim() > 0) read_into(kept);
    network.resume(at.round, kept);
  });
  network.traffic().resume(at.traffic);
  if (network.weather() != nullptr) network.weather()->set_counts(at.faults);
}

template void write_checkpoint(const SavePlace&, const RunIdentity&, const RunPosition&,
                               const std::vector<NamedRows<float>>&, const Network&);
template void write_checkpoint(const SavePlace&, const RunIdentity&, const RunPosition&,
                               const std::vector<NamedRows<double>>&, const Network&);
template void restore(const Checkpoint&, Algorithm<float>&, Network&);
template void restore(const Checkpoint&, Algorithm<double>&, Network&);

}  // namespace driftless
