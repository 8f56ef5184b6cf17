#include "driftless/base/option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "driftless/base/named.hpp"

namespace driftless {

template <>
inline constexpr auto values_of<Option::Type> =
    std::to_array<Named<Option::Type>>({{Option::Type::boolean, "true or false"},
                                        {Option::Type::integer, "an integer"},
                                        {Option::Type::number, "a number"},
                                        {Option::Type::text, "a text"},
                                        {Option::Type::path, "the path of a file, in quotes"}});

namespace {

std::string text_literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

// fmt writes the fewest digits that read back as the same number.
std::string float_literal(double number) {
  std::string digits = fmt::format("{}", number);
  const bool integral = digits.find_first_not_of("-0123456789") == std::string::npos;
  return integral ? digits + ".0" : digits;
}

// Of a single value.
bool has_type(Option::Type type, const Value& value) {
  using Type = Option::Type;
  if (std::holds_alternative<bool>(value)) return type == Type::boolean;
  if (std::holds_alternative<double>(value)) return type == Type::number;
  if (std::holds_alternative<std::string>(value)) return type == Type::text || type == Type::path;
  if (std::holds_alternative<std::int64_t>(value))
    return type == Type::integer || type == Type::number;
  return false;
}

template <class Held>
std::string list_literal(const std::vector<Held>& list) {
  std::string result = "[";
  for (const Held& element : list)
    result += (result.size() > 1 ? ", " : "") + toml_literal(Value(element));
  return result + ']';
}

// None where a word of the text is not an integer.
std::optional<std::vector<std::int64_t>> integers_in(const std::string& text) {
  std::vector<std::int64_t> integers;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::optional<std::int64_t> integer = parse_integer(word);
    if (!integer) return std::nullopt;
    integers.push_back(*integer);
  }
  return integers;
}

}  // namespace

std::string toml_literal(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return text_literal(*text);
  if (const auto* number = std::get_if<double>(&value)) return float_literal(*number);
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) return list_literal(*list);
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) return list_literal(*list);
  return plain_text(value);
}

std::string plain_text(const Value& value) {
  return std::visit(
      []<class Held>(const Held& held) {
        if constexpr (detail::is_list<Held>)
          return fmt::format("{}", fmt::join(held, " "));
        else
          return fmt::format("{}", held);
      },
      value);
}

Value with_each_text(Value value, FunctionRef<std::string(const std::string&)> change) {
  if (auto* text = std::get_if<std::string>(&value)) *text = change(*text);
  if (auto* list = std::get_if<std::vector<std::string>>(&value)) {
    for (std::string& text : *list) text = change(text);
  }
  return value;
}

Option::Type Option::element_type() const {
  if (type == Type::integers) return Type::integer;
  if (type == Type::texts) return Type::text;
  return type == Type::paths ? Type::path : type;
}

Option Option::element() const {
  Option single = *this;
  single.type = element_type();
  return single;
}

std::string Option::how_to_give_several() const {
  return type == Type::integers ? "; several go in brackets, as [2, 1]"
                                : "; several go in brackets, as [\"a\", \"b\"]";
}

std::string Option::expectation() const {
  if (is_list()) return element().expectation() + how_to_give_several();
  if (!choices.empty()) return fmt::format("one of {}", fmt::join(choices, ", "));
  std::string text(name_of(type));
  if (lower) text += fmt::format(" {} {}", above_lower ? "above" : "of at least", *lower);
  if (upper) text += fmt::format("{} at most {}", lower ? " and" : " of", *upper);
  return text;
}

Value Option::canonical(Value value) const {
  if (type == Type::number && std::holds_alternative<std::int64_t>(value))
    return from_value<double>(value);
  if (!is_list()) return value;
  if (const auto* text = std::get_if<std::string>(&value); text && type == Type::integers) {
    if (auto integers = integers_in(*text)) value = std::move(*integers);
  }
  const auto* integers = std::get_if<std::vector<std::int64_t>>(&value);
  if (integers != nullptr && integers->size() == 1) return integers->front();
  const auto* texts = std::get_if<std::vector<std::string>>(&value);
  if (texts != nullptr && texts->size() == 1) return texts->front();
  return value;
}

std::string Option::fault(const Value& value) const {
  if (!is_list()) return fault_of_one(value);
  const Value given = canonical(value);
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&given))
    return fault_of_list(*list);
  if (const auto* list = std::get_if<std::vector<std::string>>(&given)) return fault_of_list(*list);
  const std::string fault = element().fault_of_one(given);
  return fault.empty() ? "" : fault + how_to_give_several();
}

template <class Held>
std::string Option::fault_of_list(const std::vector<Held>& list) const {
  if (list.empty())
    return maybe_empty ? "" : fmt::format("the list is empty; expected {}", expectation());
  const Option single = element();
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::string fault = single.fault_of_one(list[k]);
    if (!fault.empty())
      return fmt::format("element {} is {}; {}", k + 1, toml_literal(list[k]), fault);
  }
  return "";
}

std::string Option::fault_of_one(const Value& value) const {
  if (!has_type(type, value)) {
    if (type == Type::integer && std::holds_alternative<double>(value))
      return fmt::format("expected {}, without a decimal point or an exponent", expectation());
    return fmt::format("expected {}", expectation());
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (type == Type::path && text->empty()) return fmt::format("expected {}", expectation());
    if (choices.empty() || std::ranges::count(choices, *text) > 0) return "";
    return fmt::format("expected {}{}", expectation(), suggestion(*text, views_of(choices)));
  }
  if (type == Type::boolean) return "";
  const double number = from_value<double>(value);
  if (!std::isfinite(number)) return fmt::format("expected a finite value, {}", expectation());
  const bool too_low = lower && (above_lower ? number <= *lower : number < *lower);
  const bool too_high = upper && number > *upper;
  return too_low || too_high ? fmt::format("expected {}", expectation()) : "";
}

void throw_unknown_option(std::string_view name, const std::vector<Option>& known) {
  const std::vector<std::string_view> names = names_of(known);
  if (names.empty()) throw ConfigError("there is no option {}", name);
  throw ConfigError("there is no option {}; there is {}{}", name, either_of(names),
                    suggestion(name, names));
}

void throw_if_faulty(const Option& option, const Value& value) {
  const std::string fault = option.fault(value);
  if (fault.empty()) return;
  throw ConfigError("{} = {}: {}", option.name, toml_literal(value), fault);
}

void check_described_alike(std::string_view kind, const std::vector<Option>& options,
                           std::string_view other_kind, const std::vector<Option>& others) {
  for (Option option : options) {
    for (const Option& other : others) {
      option.fallback = other.fallback;  // each kind may have a default of its own
      if (option.name != other.name || option == other) continue;
      throw ConfigError(
          "{}: {} has an option {} too, described differently; choose another name, or describe it "
          "alike",
          kind, other_kind, option.name);
    }
  }
}

}  // namespace driftless
