#include "driftless/experiment/checkpoint.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "driftless/base/byte_reader.hpp"
#include "driftless/base/error.hpp"
#include "driftless/base/file.hpp"

namespace driftless {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "the file holds the bytes of memory");

constexpr std::string_view magic = "driftless checkpoint\n";
constexpr std::uint32_t format_version = 1;
constexpr std::uint32_t longest_header = 1 << 20;
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
  explicit SummedFile(const fs::path& path) : file_(path) {}
  void write(std::string_view bytes) {
    sum_ = crc32_z(sum_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    file_.write(bytes);
  }
  void commit() {
    const auto sum = static_cast<std::uint32_t>(sum_);
    file_.write(bytes_of(&sum, 1));
    file_.commit();
  }

 private:
  AtomicFile file_;
  uLong sum_ = 0;
};

// The same, read.
class SummedReader {
 public:
  explicit SummedReader(const fs::path& path) : file_(path) {
    if (file_.packed()) file_.fail_file("is gzip, expected a checkpoint");
  }
  ByteReader& file() { return file_; }
  std::string read(std::size_t size) {
    std::string bytes(size, '\0');
    bytes.resize(file_.read(bytes.data(), size));
    sum_ = crc32_z(sum_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
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
  std::uint32_t sum() const { return static_cast<std::uint32_t>(sum_); }

 private:
  ByteReader file_;
  uLong sum_ = 0;
};

// Takes the fields of a header, each of its type; the first that is missing is the fault.
class HeaderReader {
 public:
  HeaderReader(const std::string& text, const fs::path& file)
      : json_(ordered_json::parse(text, nullptr, /*allow_exceptions=*/false)), file_(file) {
    if (!json_.is_object()) fail("is not a JSON object");
  }
  std::int64_t integer(const char* name, std::int64_t lowest, std::int64_t highest) const {
    const ordered_json& value = at(name);
    if (!value.is_number_integer() ||
        (value.is_number_unsigned() &&
         value.get<std::uint64_t>() > static_cast<std::uint64_t>(highest)) ||
        value.get<std::int64_t>() < lowest || value.get<std::int64_t>() > highest) {
      fail(fmt::format("{} is not an integer from {} to {}", name, lowest, highest));
    }
    return value.get<std::int64_t>();
  }
  double number(const char* name) const {  // JSON has no NaN: it is null
    const ordered_json& value = at(name);
    if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!value.is_number()) fail(fmt::format("{} is not a number", name));
    return value.get<double>();
  }
  std::string text(const char* name) const { return text_of(at(name), name); }
  std::vector<std::string> texts(const char* name) const {
    const ordered_json& value = at(name);
    if (!value.is_array()) fail(fmt::format("{} is not a list", name));
    std::vector<std::string> all;
    for (const ordered_json& each : value) all.push_back(text_of(each, name));
    return all;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(
        fmt::format("{}: the header of the checkpoint {}; it is damaged", file_.string(), what));
  }

 private:
  const ordered_json& at(const char* name) const {
    const auto found = json_.find(name);
    if (found == json_.end()) fail(fmt::format("has no {}", name));
    return *found;
  }
  std::string text_of(const ordered_json& value, const char* name) const {
    if (!value.is_string()) fail(fmt::format("{} is not a text", name));
    return value.get<std::string>();
  }

  ordered_json json_;
  const fs::path& file_;
};

ordered_json number(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

// Of the rows, as the header claims; more than any file holds where it is out of range.
std::uint64_t row_bytes(const Checkpoint& checkpoint) {
  const long double bytes = static_cast<long double>(checkpoint.nodes) * checkpoint.dim *
                            checkpoint.number_bytes * checkpoint.rows.size();
  return bytes < 1e18L ? static_cast<std::uint64_t>(bytes)
                       : std::numeric_limits<std::uint64_t>::max() / 2;
}

}  // namespace

std::string header_of(const Checkpoint& checkpoint) {
  const RunPosition& at = checkpoint.position;
  ordered_json header;
  header["round"] = at.round;
  header["gradients"] = at.gradients;
  header["seconds"] = number(at.seconds);
  header["first_loss"] = number(at.first_loss);
  header["diagnosis"] = at.diagnosis;
  header["bytes_each_edge_and_direction"] = at.edge;
  header["bytes_each_node_to_server"] = at.uplink;
  header["nodes"] = checkpoint.nodes;
  header["dim"] = checkpoint.dim;
  header["number_bytes"] = checkpoint.number_bytes;
  header["rows"] = checkpoint.rows;
  header["config"] = checkpoint.config;
  return header.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Checkpoint parse_header(const std::string& text, const fs::path& file) {
  constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max();
  const HeaderReader header(text, file);
  Checkpoint checkpoint;
  checkpoint.file = file;
  RunPosition& at = checkpoint.position;
  at.round = header.integer("round", 0, any);
  at.gradients = header.integer("gradients", 0, any);
  at.seconds = header.number("seconds");
  constexpr double a_century = 3.2e9;
  if (!(at.seconds >= 0 && at.seconds < a_century)) header.fail("claims a time that cannot be");
  at.first_loss = header.number("first_loss");
  at.diagnosis = header.text("diagnosis");
  at.edge = static_cast<Bytes>(header.integer("bytes_each_edge_and_direction", 0, any));
  at.uplink = static_cast<Bytes>(header.integer("bytes_each_node_to_server", 0, any));
  checkpoint.nodes =
      static_cast<NodeId>(header.integer("nodes", 1, std::numeric_limits<NodeId>::max()));
  checkpoint.dim = header.integer("dim", 1, any);
  checkpoint.number_bytes = static_cast<int>(header.integer("number_bytes", 4, 8));
  checkpoint.rows = header.texts("rows");
  checkpoint.config = header.text("config");
  checkpoint.rows_begin = before_header + text.size();
  return checkpoint;
}

void write_checkpoint(const fs::path& path, const std::string& config, const RunState& state) {
  std::visit(
      [&]<class Real>(const std::vector<NamedRows<Real>>& all) {
        const Network& network = state.network;
        std::unique_ptr<SummedFile> file;
        if (hosts_first(network)) {
          Checkpoint checkpoint{.file = path,
                                .config = config,
                                .position = state.position,
                                .nodes = network.nodes(),
                                .dim = all.front().rows->dim(),
                                .number_bytes = sizeof(Real)};
          for (const NamedRows<Real>& each : all) checkpoint.rows.emplace_back(each.name);
          const std::string header = header_of(checkpoint);
          const auto length = static_cast<std::uint32_t>(header.size());
          file = std::make_unique<SummedFile>(path);
          file->write(magic);
          file->write(bytes_of(&format_version, 1));
          file->write(bytes_of(&length, 1));
          file->write(header);
        }
        Rows<Real> room;
        for (const NamedRows<Real>& each : all) {
          const Rows<Real>& collected = network.collect(*each.rows, room);
          if (file) file->write(bytes_of(collected));
        }
        if (file) file->commit();
      },
      state.rows);
}

Checkpoint read_checkpoint(const fs::path& path) {
  SummedReader reader(path);
  const ByteReader& file = reader.file();
  if (reader.read(magic.size()) != magic) file.fail_file("is not a checkpoint of driftless");
  const std::uint32_t version = reader.number();
  if (version != format_version) {
    file.fail_file(
        fmt::format("is a checkpoint of format {}, expected {}; resume with the version "
                    "of driftless that wrote it",
                    version, format_version));
  }
  const std::uint32_t length = reader.number();
  if (length > longest_header || before_header + length > file.file_size()) {
    file.fail_file(fmt::format("claims a header of {} bytes; the checkpoint is damaged", length));
  }
  const Checkpoint checkpoint = parse_header(reader.read(length), path);
  const std::uint64_t expected =
      checkpoint.rows_begin + row_bytes(checkpoint) + sizeof(std::uint32_t);
  if (file.file_size() != expected) {
    file.fail_file(fmt::format("has {} bytes, expected {}; the checkpoint was cut off or changed",
                               file.file_size(), expected));
  }
  reader.skip(row_bytes(checkpoint));
  const std::uint32_t sum = reader.sum();
  if (reader.number() != sum) {
    file.fail_file("does not have the sum that it claims; the checkpoint is damaged");
  }
  return checkpoint;
}

template <class Real>
void restore(const Checkpoint& checkpoint, Algorithm<Real>& algorithm, Network& network) {
  const auto state = algorithm.state();
  const auto fits = [&] {
    return std::ranges::equal(state, checkpoint.rows, {}, &NamedRows<Real>::name) &&
           checkpoint.nodes == network.nodes() && checkpoint.dim == algorithm.models().dim() &&
           checkpoint.number_bytes == sizeof(Real);
  };
  if (!fits()) {
    throw DataError(
        fmt::format("{}: holds {} of {} nodes with {} numbers of {} bytes, which this run does "
                    "not have; begin it again with --force",
                    checkpoint.file.string(), fmt::join(checkpoint.rows, ", "), checkpoint.nodes,
                    checkpoint.dim, checkpoint.number_bytes));
  }
  std::unique_ptr<ByteReader> file;
  Rows<Real> all;
  if (hosts_first(network)) {
    file = std::make_unique<ByteReader>(checkpoint.file);
    std::string before(checkpoint.rows_begin, '\0');
    file->read(before.data(), before.size());
    all = Rows<Real>({0, network.nodes()}, checkpoint.dim);
  }
  for (const NamedRows<Real>& each : state) {
    if (file) {
      const std::size_t size = bytes_of(all).size();
      if (file->read(reinterpret_cast<char*>(all.row(0)), size) != size) {
        file->fail_file("was cut off while it was read");
      }
    }
    network.distribute(all, *each.rows);
  }
  algorithm.resume(checkpoint.position.round, checkpoint.position.gradients);
  network.resume_traffic(checkpoint.position.edge, checkpoint.position.uplink);
}

template void restore(const Checkpoint&, Algorithm<float>&, Network&);
template void restore(const Checkpoint&, Algorithm<double>&, Network&);

}  // namespace driftless
