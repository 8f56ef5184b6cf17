#include "driftless/base/parse_json.hpp"

#include <set>
#include <vector>

#include "driftless/base/error.hpp"

namespace driftless {

namespace {

using nlohmann::json;

// Walks over the text before anything is built of it, without recursion.
class Check final : public json::json_sax_t {
 public:
  explicit Check(std::string_view name) : name_(name) {}

  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& key) override {
    if (keys_.back().insert(key).second) return true;
    throw DataError("{}: the key \"{}\" is given twice", name_, key.substr(0, 40));
  }
  bool parse_error(std::size_t, const std::string&, const json::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 9: …" without the code.
    const std::string_view fault = error.what();
    throw DataError("{}: not valid JSON: {}", name_, fault.substr(fault.find(' ') + 1));
  }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(json::binary_t&) override { return true; }

 private:
  bool open() {
    constexpr std::size_t deepest = 64;
    keys_.emplace_back();
    if (keys_.size() <= deepest) return true;
    throw DataError("{}: not valid JSON: nests deeper than {} levels", name_, deepest);
  }
  bool close() {
    keys_.pop_back();
    return true;
  }

  std::string_view name_;
  std::vector<std::set<std::string>> keys_;  // of each object or array that is open
};

}  // namespace

json parse_json(std::string_view text, std::string_view name) {
  // To the parser, a zero byte is the end of the text.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    throw DataError("{}: not valid JSON: byte {} is zero", name, zero);
  }
  Check check(name);
  json::sax_parse(text, &check);
  return json::parse(text);
}

std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace driftless
