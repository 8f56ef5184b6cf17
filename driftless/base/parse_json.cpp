#include "driftless/base/parse_json.hpp"

#include <utility>
#include <vector>

#include "driftless/base/error.hpp"

namespace driftless {

namespace {

using nlohmann::json;

// Builds the value while the text is walked over, without recursion. It is told of what it is to
// build by the library's parser.
class Builder {
 public:
  explicit Builder(std::string_view name) : name_(name) {}

  json take() { return std::move(top_); }

  bool start_object(std::size_t) { return open(json::object()); }
  bool start_array(std::size_t) { return open(json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& key) {
    auto& object = open_.back()->get_ref<json::object_t&>();
    const auto [entry, is_new] = object.try_emplace(std::move(key));
    if (!is_new) {
      throw DataError("{}: the key \"{}\" is given twice", name_, entry->first.substr(0, 40));
    }
    next_ = &entry->second;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 9: …" without the code.
    const std::string_view fault = error.what();
    throw DataError("{}: not valid JSON: {}", name_, fault.substr(fault.find(' ') + 1));
  }

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(json::binary_t& value) { return add(std::move(value)); }

 private:
  bool open(json container) {
    constexpr std::size_t deepest = 64;
    if (open_.size() == deepest) {
      throw DataError("{}: not valid JSON: nests deeper than {} levels", name_, deepest);
    }
    json& place = next_place();
    place = std::move(container);
    open_.push_back(&place);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }
  template <class Given>
  bool add(Given&& value) {
    next_place() = std::forward<Given>(value);
    return true;
  }
  json& next_place() {
    if (open_.empty() || open_.back()->is_object()) return *next_;
    return open_.back()->get_ref<json::array_t&>().emplace_back();
  }

  std::string_view name_;
  json top_;
  json* next_ = &top_;       // outside arrays: where the next value goes
  std::vector<json*> open_;  // the objects and arrays that have not ended, from the outermost
};

}  // namespace

json parse_json(std::string_view text, std::string_view name) {
  // To the parser, a zero byte is the end of the text.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    throw DataError("{}: not valid JSON: byte {} is zero", name, zero);
  }
  Builder builder(name);
  json::sax_parse(text, &builder);
  return builder.take();
}

std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace driftless
