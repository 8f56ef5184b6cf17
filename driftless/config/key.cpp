#include "driftless/config/key.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/base/text.hpp"

namespace driftless {
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

std::string_view type_name(Key::Type type) {
  switch (type) {
    case Key::Type::boolean:
      return "true or false";
    case Key::Type::integer:
      return "an integer";
    case Key::Type::number:
      return "a number";
    case Key::Type::text:
      return "a text";
    case Key::Type::path:
      return "the path of a file, in quotes";
  }
  return "";
}

bool has_type(Key::Type type, const Value& value) {
  switch (type) {
    case Key::Type::boolean:
      return std::holds_alternative<bool>(value);
    case Key::Type::integer:
      return std::holds_alternative<std::int64_t>(value);
    case Key::Type::number:
      return std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value);
    case Key::Type::text:
    case Key::Type::path:
      return std::holds_alternative<std::string>(value);
  }
  return false;
}

}  // namespace

std::string toml_literal(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return text_literal(*text);
  if (const auto* number = std::get_if<double>(&value)) return float_literal(*number);
  return plain_text(value);
}

std::string plain_text(const Value& value) {
  return std::visit([](const auto& held) { return fmt::format("{}", held); }, value);
}

std::string_view Key::section() const { return std::string_view(name).substr(0, name.find('.')); }

std::string_view Key::short_name() const {
  return std::string_view(name).substr(name.find('.') + 1);
}

std::string Key::expectation() const {
  if (!choices.empty()) return fmt::format("one of {}", fmt::join(choices, ", "));
  std::string text(type_name(type));
  if (lower) text += fmt::format(" {} {}", above_lower ? "above" : "of at least", *lower);
  if (upper) text += fmt::format("{} at most {}", lower ? " and" : " of", *upper);
  return text;
}

std::string Key::fault(const Value& value) const {
  if (!has_type(type, value)) {
    if (type == Type::integer && std::holds_alternative<double>(value))
      return fmt::format("expected {}, without a decimal point or an exponent", expectation());
    return fmt::format("expected {}", expectation());
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (type == Type::path && text->empty()) return fmt::format("expected {}", expectation());
    if (choices.empty() || std::ranges::find(choices, *text) != choices.end()) return "";
    return fmt::format("expected {}{}", expectation(), did_you_mean(nearest_names(*text, choices)));
  }
  if (type == Type::boolean) return "";
  const double number = from_value<double>(value);
  if (!std::isfinite(number)) return fmt::format("expected a finite value, {}", expectation());
  const bool too_low = lower && (above_lower ? number <= *lower : number < *lower);
  const bool too_high = upper && number > *upper;
  return too_low || too_high ? fmt::format("expected {}", expectation()) : "";
}

Key& Key::must_be_given() {
  required = true;
  return *this;
}

Key& Key::not_swept() {
  sweepable = false;
  return *this;
}

Key& Key::one_of(std::vector<std::string_view> names) {
  choices = std::move(names);
  return *this;
}

Key& Key::or_known(std::string_view known) {
  known_name = known;
  return *this;
}

Key& Key::at_least(double bound) {
  lower = bound;
  return *this;
}

Key& Key::above(double bound) {
  lower = bound;
  above_lower = true;
  return *this;
}

Key& Key::at_most(double bound) {
  upper = bound;
  return *this;
}

Key& Key::only_for(std::string selector_key, std::vector<std::string_view> selector_values) {
  selector = std::move(selector_key);
  selections = std::move(selector_values);
  return *this;
}

Key& Key::unless(std::string_view (*replacement)(const ExperimentConfig&)) {
  replaced_by = replacement;
  return *this;
}

}  // namespace driftless
