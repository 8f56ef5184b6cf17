#include "driftless/cli/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "driftless/base/text.hpp"

namespace driftless {
namespace {

// No name has this character, which stands between the choices.
constexpr char between_choices = ' ';

Value read_as(Option::Type type, const std::string& text) {
  if (type == Option::Type::integer || type == Option::Type::number) {
    if (const auto integer = parse_integer(text)) return *integer;
    if (const auto number = parse_number(text)) return *number;
  }
  return text;
}

struct Quantity {
  std::string expectation;
  std::vector<std::pair<std::string, double>> units;
  double lower = 0;
  double upper = 1e18;  // more than anything, and an integer still
  bool whole = false;   // an integer, which needs no unit
};

// None where the text is not a number with one of the units.
std::optional<double> amount_of(std::string_view text, const Quantity& quantity) {
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string unit = bare_letters(text.substr(static_cast<std::size_t>(rest - text.data())));
  if (unit.empty() && quantity.whole) return number;
  const auto known = std::ranges::find_if(
      quantity.units, [&](const auto& each) { return bare_letters(each.first) == unit; });
  if (known == quantity.units.end()) return std::nullopt;
  return number * known->second;
}

}  // namespace

// CLI11 shows a validator's description in the help, where our words tell the choices already. Its
// name is nowhere shown: there they wait for `choices_of`.
CLI::Validator takes(const Option& described) {
  const auto check = [described](const std::string& text) {
    const std::string fault = described.fault(read_as(described.type, text));
    return fault.empty() ? "" : fmt::format("{}: {}", text, fault);
  };
  const std::string between(1, between_choices);
  return {check, "", fmt::format("{}", fmt::join(described.choices, between))};
}

CLI::Validator takes_one_of(std::vector<std::string> names) {
  return takes(Option().one_of(std::move(names)));
}

CLI::Validator takes_integer(double lower, double upper) {
  Option described;
  described.type = Option::Type::integer;
  return takes(described.at_least(lower).at_most(upper));
}

CLI::Validator takes_number_from(double lower) {
  Option described;
  described.type = Option::Type::number;
  return takes(described.at_least(lower));
}

std::vector<std::string> choices_of(CLI::Option& option) {
  std::vector<std::string> choices;
  try {
    choices = CLI::detail::split(option.get_validator(0)->get_name(), between_choices);
  } catch (const CLI::OptionNotFound&) {
    return {};  // it has no validator
  }
  std::erase(choices, "");
  return choices;
}

namespace {

CLI::Validator takes_quantity(const Quantity& quantity) {
  const auto read = [quantity](std::string& text) -> std::string {
    const std::optional<double> amount = amount_of(text, quantity);
    const bool fits = amount && *amount >= quantity.lower && *amount <= quantity.upper &&
                      (!quantity.whole || *amount == std::floor(*amount));
    if (!fits) return fmt::format("{}: expected {}", text, quantity.expectation);
    text = quantity.whole ? fmt::format("{:.0f}", *amount) : fmt::format("{}", *amount);
    return "";
  };
  return {read, ""};
}

}  // namespace

CLI::Validator takes_bytes() {
  return takes_quantity(
      {.expectation =
           "bytes from 1 to 1 EB, as 174720, 175kB or 171KiB (also MB, GB, TB, MiB, GiB)",
       .units = {{"B", 1},
                 {"kB", 1e3},
                 {"MB", 1e6},
                 {"GB", 1e9},
                 {"TB", 1e12},
                 {"EB", 1e18},
                 {"KiB", 0x1p10},
                 {"MiB", 0x1p20},
                 {"GiB", 0x1p30},
                 {"TiB", 0x1p40}},
       .lower = 1,
       .whole = true});
}

CLI::Validator takes_time() {
  return takes_quantity({.expectation = "a time of at least 0 with its unit, as 500us, 2ms or 1s",
                         .units = {{"us", 1e-6}, {"ms", 1e-3}, {"s", 1}}});
}

CLI::Validator takes_rate() {
  return takes_quantity(
      {.expectation = "a rate of at least 1kbit with its unit, as 500kbit, 20Mbit or 1Gbit",
       .units = {{"kbit", 125}, {"Mbit", 125e3}, {"Gbit", 125e6}},
       .lower = 125});
}

}  // namespace driftless
