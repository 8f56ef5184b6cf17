#include "driftless/site/site_state.hpp"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <utility>

#include "driftless/base/error.hpp"
#include "driftless/base/file.hpp"
#include "driftless/base/file_sum.hpp"
#include "driftless/base/parse_json.hpp"

namespace driftless {
namespace {

using nlohmann::ordered_json;
using peers::Body;
using peers::Session;

constexpr std::string_view magic = "driftless site\n";

template <class Number>
std::string bytes_of(Number number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

std::string text_of(const Body& body) {
  return {reinterpret_cast<const char*>(body.data()), body.size()};
}

std::string hex(const peers::StudyHash& hash) {
  std::string text;
  for (const std::byte byte : hash) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

ordered_json session_json(const std::string& neighbour, const Session::Memory& memory) {
  ordered_json letters = ordered_json::array();
  for (const peers::Letter& letter : memory.outbox) {
    letters.push_back({letter.seq, letter.tag, letter.body->size()});
  }
  return {{"neighbour", neighbour},      {"life_there", memory.life_there}, {"epoch", memory.epoch},
          {"next_seq", memory.next_seq}, {"applied", memory.applied},       {"letters", letters}};
}

// Takes the parts of a file one after the other.
class Parts {
 public:
  Parts(std::string_view bytes, std::string name) : left_(bytes), name_(std::move(name)) {}

  std::string_view take(std::uint64_t size) {
    if (size > left_.size()) damaged();
    const std::string_view part = left_.substr(0, size);
    left_.remove_prefix(size);
    return part;
  }
  template <class Number>
  Number number() {
    Number number{};
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
    return number;
  }
  bool at_end() const { return left_.empty(); }
  [[noreturn]] void damaged() const {
    throw DataError("{}: is damaged; remove it to begin anew, which your neighbours must do too",
                    name_);
  }

 private:
  std::string_view left_;
  std::string name_;
};

Session::Memory session_of(const ordered_json& json, Parts& parts) {
  Session::Memory memory{.life_there = json.at("life_there"),
                         .epoch = json.at("epoch"),
                         .next_seq = json.at("next_seq"),
                         .applied = json.at("applied"),
                         .outbox = {}};
  for (const auto& each : json.at("letters")) {
    const auto bytes = std::as_bytes(std::span(parts.take(each.at(2))));
    memory.outbox.push_back(
        {each.at(0), each.at(1), std::make_shared<Body>(bytes.begin(), bytes.end())});
  }
  return memory;
}

}  // namespace

void write_site_state(const Folder& folder, const SiteState& state) {
  ordered_json header{{"study", hex(state.study)},    {"site", state.site},
                      {"life", state.life},           {"round", state.round},
                      {"gradients", state.gradients}, {"finished", state.finished},
                      {"exchanges", state.exchanges}};
  std::string bodies;
  header["rows"] = ordered_json::array();
  for (const std::string& row : state.rows) {
    header["rows"].push_back(row.size());
    bodies += row;
  }
  header["sessions"] = ordered_json::array();
  for (const auto& [neighbour, memory] : state.sessions) {
    header["sessions"].push_back(session_json(neighbour, memory));
    for (const peers::Letter& letter : memory.outbox) bodies += text_of(*letter.body);
  }
  header["said"] = ordered_json::array();
  for (const auto& texts : state.said) {
    ordered_json& sizes = header["said"].emplace_back(ordered_json::array());
    for (const std::string& text : texts) {
      sizes.push_back(text.size());
      bodies += text;
    }
  }
  const std::string text = header.dump();
  std::string file(magic);
  file += bytes_of(std::uint64_t{text.size()}) + text + bodies;
  file += bytes_of(sum_of(file).crc);
  write_file_atomically(folder, state_file, file);
}

std::optional<SiteState> read_site_state(const Folder& folder) {
  if (!folder.has(state_file)) return std::nullopt;
  const std::filesystem::path path = folder.where() / state_file;
  const std::string file = read_file(path);
  Parts parts(file, path.string());
  if (parts.take(magic.size()) != magic || file.size() < magic.size() + 4) parts.damaged();
  const std::string_view before = std::string_view(file).substr(0, file.size() - 4);
  if (file.substr(before.size()) != bytes_of(sum_of(before).crc)) parts.damaged();
  SiteState state;
  try {
    const ordered_json header = ordered_json::parse(parts.take(parts.number<std::uint64_t>()));
    const std::string study = header.at("study");
    for (std::size_t k = 0; k < state.study.size() && study.size() == 2 * state.study.size(); ++k) {
      state.study[k] = static_cast<std::byte>(std::stoi(study.substr(2 * k, 2), nullptr, 16));
    }
    state.site = header.at("site");
    state.life = header.at("life");
    state.round = header.at("round");
    state.gradients = header.at("gradients");
    state.finished = header.at("finished");
    state.exchanges = header.at("exchanges");
    for (const auto& size : header.at("rows")) state.rows.emplace_back(parts.take(size));
    for (const auto& session : header.at("sessions")) {
      state.sessions[session.at("neighbour")] = session_of(session, parts);
    }
    for (const auto& sizes : header.at("said")) {
      auto& texts = state.said.emplace_back();
      for (const auto& size : sizes) texts.emplace_back(parts.take(size));
    }
  } catch (const nlohmann::json::exception&) {
    parts.damaged();
  }
  parts.take(4);
  if (!parts.at_end()) parts.damaged();
  return state;
}

}  // namespace driftless
