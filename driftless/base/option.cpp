#include "driftless/base/option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/base/error.hpp"
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

std::string_view type_name(Option::Type type) {
  switch (type) {
    case Option::Type::boolean:
      return "true or false";
    case Option::Type::integer:
      return "an integer";
    case Option::Type::number:
      return "a number";
    case Option::Type::text:
      return "a text";
    case Option::Type::path:
      return "the path of a file, in quotes";
  }
  return "";
}

bool has_type(Option::Type type, const Value& value) {
  switch (type) {
    case Option::Type::boolean:
      return std::holds_alternative<bool>(value);
    case Option::Type::integer:
      return std::holds_alternative<std::int64_t>(value);
    case Option::Type::number:
      return std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value);
    case Option::Type::text:
    case Option::Type::path:
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

std::string Option::expectation() const {
  if (!choices.empty()) return fmt::format("one of {}", fmt::join(choices, ", "));
  std::string text(type_name(type));
  if (lower) text += fmt::format(" {} {}", above_lower ? "above" : "of at least", *lower);
  if (upper) text += fmt::format("{} at most {}", lower ? " and" : " of", *upper);
  return text;
}

std::string Option::fault(const Value& value) const {
  if (!has_type(type, value)) {
    if (type == Type::integer && std::holds_alternative<double>(value))
      return fmt::format("expected {}, without a decimal point or an exponent", expectation());
    return fmt::format("expected {}", expectation());
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (type == Type::path && text->empty()) return fmt::format("expected {}", expectation());
    if (choices.empty() || std::ranges::count(choices, *text) > 0) return "";
    return fmt::format("expected {}{}", expectation(),
                       did_you_mean(nearest_names(*text, views_of(choices))));
  }
  if (type == Type::boolean) return "";
  const double number = from_value<double>(value);
  if (!std::isfinite(number)) return fmt::format("expected a finite value, {}", expectation());
  const bool too_low = lower && (above_lower ? number <= *lower : number < *lower);
  const bool too_high = upper && number > *upper;
  return too_low || too_high ? fmt::format("expected {}", expectation()) : "";
}

Option& Option::must_be_given() {
  required = true;
  return *this;
}

Option& Option::not_swept() {
  sweepable = false;
  return *this;
}

Option& Option::one_of(std::vector<std::string> names) {
  choices = std::move(names);
  return *this;
}

Option& Option::or_known(std::string known) {
  known_name = std::move(known);
  return *this;
}

Option& Option::at_least(double bound) {
  lower = bound;
  return *this;
}

Option& Option::above(double bound) {
  lower = bound;
  above_lower = true;
  return *this;
}

Option& Option::at_most(double bound) {
  upper = bound;
  return *this;
}

Option& Option::only_for(std::string selector_name, std::vector<std::string> selector_values) {
  selector = std::move(selector_name);
  selections = std::move(selector_values);
  return *this;
}

Option& Option::unless_given(Replacement other) {
  replacement = std::move(other);
  return *this;
}

bool Option::agrees_with(const Option& other) const {
  const auto same = [](const std::optional<Replacement>& a, const std::optional<Replacement>& b) {
    return a.has_value() == b.has_value() &&
           (!a || (a->option == b->option && a->suffix == b->suffix));
  };
  return name == other.name && doc == other.doc && type == other.type &&
         required == other.required && sweepable == other.sweepable && choices == other.choices &&
         known_name == other.known_name && lower == other.lower &&
         above_lower == other.above_lower && upper == other.upper && selector == other.selector &&
         selections == other.selections && same(replacement, other.replacement);
}

void throw_unknown_option(std::string_view name, const std::vector<Option>& known) {
  std::vector<std::string_view> names;
  for (const Option& option : known) names.push_back(option.name);
  if (names.empty()) throw ConfigError("there is no option {}", name);
  throw ConfigError("there is no option {}; there is {}{}", name, either_of(names),
                    did_you_mean(nearest_names(name, names)));
}

void throw_if_faulty(const Option& option, const Value& value) {
  const std::string fault = option.fault(value);
  if (fault.empty()) return;
  throw ConfigError("{} = {}: {}", option.name, toml_literal(value), fault);
}

void check_described_alike(std::string_view kind, const std::vector<Option>& options,
                           std::string_view other_kind, const std::vector<Option>& others) {
  for (const Option& option : options) {
    for (const Option& other : others) {
      if (option.name != other.name || option.agrees_with(other)) continue;
      throw ConfigError(
          "{}: {} has an option {} too, described differently; choose another name, or describe it "
          "alike",
          kind, other_kind, option.name);
    }
  }
}

}  // namespace driftless
