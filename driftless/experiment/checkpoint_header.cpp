#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "driftless/base/error.hpp"
#include "driftless/base/parse_json.hpp"
#include "driftless/experiment/checkpoint.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* rows_file = "metrics.csv";

// Takes the fields of a header, each of its type; the first that is missing is the fault.
class HeaderReader {
 public:
  HeaderReader(const std::string& text, const fs::path& file) : file_(file) {
    const std::string fault = fault_in([&] { json_ = parse_json(text, "cannot be read"); });
    if (!fault.empty()) fail(fault);
    if (!json_.is_object()) fail("is not a JSON object");
  }
  std::int64_t integer(const char* name, std::int64_t lowest, std::int64_t highest) const {
    const json& value = at(name);
    // One beyond 64 bits with a sign turns negative, which no field may be.
    const auto number = value.is_number_integer() ? value.get<std::int64_t>() : -1;
    if (number < lowest || number > highest) {
      fail(fmt::format("{} is not an integer from {} to {}", name, lowest, highest));
    }
    return number;
  }
  double number(const char* name) const {  // JSON has no NaN: it is null
    const json& value = at(name);
    if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!value.is_number()) fail(fmt::format("{} is not a number", name));
    return value.get<double>();
  }
  std::string text(const char* name) const { return text_of(at(name), name); }
  std::vector<std::string> texts(const char* name) const {
    const json& value = at(name);
    if (!value.is_array()) fail(fmt::format("{} is not a list", name));
    std::vector<std::string> all;
    for (const json& each : value) all.push_back(text_of(each, name));
    return all;
  }
  std::vector<std::int64_t> counts(const char* name) const {
    const json& value = at(name);
    std::vector<std::int64_t> all;
    for (const json& each : value.is_array() ? value : json::array()) {
      if (!each.is_number_integer() || each.get<std::int64_t>() < 0) break;
      all.push_back(each.get<std::int64_t>());
    }
    if (!value.is_array() || all.size() != value.size())
      fail(fmt::format("{} is not a list of counts", name));
    return all;
  }
  // None where there is no such field.
  std::optional<FileSums> sums(const char* name) const {
    if (!json_.contains(name)) return std::nullopt;
    std::optional<FileSums> found = file_sums_in(at(name));
    if (!found) fail(fmt::format("{} is not a list of files with sums", name));
    return found;
  }
  bool has(const char* name) const { return json_.contains(name); }
  [[noreturn]] void fail(const std::string& what) const {
    throw DamagedCheckpoint("{}: the header of the checkpoint {}; it is damaged", file_.string(),
                            what);
  }

 private:
  const json& at(const char* name) const {
    const auto found = json_.find(name);
    if (found == json_.end()) fail(fmt::format("has no {}", name));
    return *found;
  }
  std::string text_of(const json& value, const char* name) const {
    if (!value.is_string()) fail(fmt::format("{} is not a text", name));
    return value.get<std::string>();
  }

  json json_;
  const fs::path& file_;
};

ordered_json number(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

}  // namespace

std::uint64_t Checkpoint::row_bytes() const {
  const long double numbers = static_cast<long double>(dim) * rows.size() + network_dim;
  const long double bytes = static_cast<long double>(nodes) * number_bytes * numbers;
  return bytes < 1e18L ? static_cast<std::uint64_t>(bytes)
                       : std::numeric_limits<std::uint64_t>::max() / 2;
}

std::string header_of(const Checkpoint& checkpoint) {
  const RunPosition& at = checkpoint.position;
  ordered_json header;
  header["round"] = at.round;
  header["gradients"] = at.gradients;
  header["seconds"] = number(at.seconds);
  header["first_loss"] = number(at.first_loss);
  header["diagnosis"] = at.diagnosis;
  header["bytes_each_edge_and_direction"] = at.traffic.edge;
  header["bytes_each_node_to_server"] = at.traffic.uplink;
  if (!at.traffic.nodes.empty()) {
    header["bytes_of_nodes"] = at.traffic.nodes;
    header["bytes_of_server"] = at.traffic.server;
    header["bytes_sent"] = at.traffic.sent;
  }
  if (at.faults != FaultCounts()) {
    header["faults"] = {at.faults.drops, at.faults.pauses, at.faults.crashes, at.faults.joins,
                        at.faults.late_letters};
  }
  if (checkpoint.network_dim > 0) header["network_dim"] = checkpoint.network_dim;
  header["nodes"] = checkpoint.nodes;
  header["dim"] = checkpoint.dim;
  header["number_bytes"] = checkpoint.number_bytes;
  header["rows"] = checkpoint.rows;
  header["config"] = checkpoint.identity.config;
  header["inputs"] = to_json_object(checkpoint.identity.inputs);
  if (checkpoint.version) header["version"] = *checkpoint.version;
  if (checkpoint.rows_before)
    header["rows_before"] = to_json_object({{rows_file, *checkpoint.rows_before}});
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
  at.traffic.edge = static_cast<Bytes>(header.integer("bytes_each_edge_and_direction", 0, any));
  at.traffic.uplink = static_cast<Bytes>(header.integer("bytes_each_node_to_server", 0, any));
  if (header.has("bytes_of_nodes")) {
    for (const std::int64_t bytes : header.counts("bytes_of_nodes"))
      at.traffic.nodes.push_back(static_cast<Bytes>(bytes));
    at.traffic.server = static_cast<Bytes>(header.integer("bytes_of_server", 0, any));
    at.traffic.sent = static_cast<Bytes>(header.integer("bytes_sent", 0, any));
  }
  if (header.has("faults")) {
    const std::vector<std::int64_t> counts = header.counts("faults");
    if (counts.size() != 5) header.fail("does not count five kinds of faults");
    at.faults = {counts[0], counts[1], counts[2], counts[3], counts[4]};
  }
  if (header.has("network_dim")) checkpoint.network_dim = header.integer("network_dim", 1, any);
  checkpoint.nodes =
      static_cast<NodeId>(header.integer("nodes", 1, std::numeric_limits<NodeId>::max()));
  if (!at.traffic.nodes.empty() &&
      at.traffic.nodes.size() != static_cast<std::size_t>(checkpoint.nodes)) {
    header.fail("does not tell the bytes of every node");
  }
  checkpoint.dim = header.integer("dim", 1, any);
  checkpoint.number_bytes = static_cast<int>(header.integer("number_bytes", 4, 8));
  checkpoint.rows = header.texts("rows");
  checkpoint.identity.config = header.text("config");
  // Earlier versions did not tell these.
  checkpoint.identity.inputs = header.sums("inputs").value_or(FileSums());
  if (header.has("version")) checkpoint.version = header.text("version");
  if (const auto rows = header.sums("rows_before"); rows && rows->contains(rows_file))
    checkpoint.rows_before = rows->at(rows_file);
  return checkpoint;
}

}  // namespace driftless
