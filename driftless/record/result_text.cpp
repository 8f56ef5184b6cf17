#include "driftless/record/result_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace driftless {
namespace {

// How a kind of number is written; `step` is the least difference that must show.
using Writer = std::string (*)(double value, double step);

std::string with_decimals(double value, double step) {
  if (std::abs(value) >= 1e5) return fmt::format("{:.3e}", value);
  constexpr int least = 3;
  constexpr int most = 12;
  // Two digits of the step.
  const int wanted = step > 0 ? 1 - static_cast<int>(std::floor(std::log10(step))) : least;
  return fmt::format("{:.{}f}", value, std::clamp(wanted, least, most));
}

std::string scientific(double value, double step) {
  constexpr int least = 2;
  constexpr int most = 12;
  const bool known = step > 0 && value != 0;
  const int wanted =
      known ? static_cast<int>(std::floor(std::log10(std::abs(value)) - std::log10(step))) : least;
  return fmt::format("{:.{}e}", value, std::clamp(wanted, least, most));
}

// Whole numbers, and means of them with a decimal where their interval is small.
std::string counted(double value, double step) {
  if (value == std::floor(value) || step >= 100 || std::abs(value) >= 1e5)
    return readable_count(value);
  return fmt::format("{:.{}f}", value, step >= 1 || step == 0 ? 1 : 2);
}

std::string bytes_with_unit(double value, double) { return readable_bytes(value); }

// One digit of the range tells its ends apart; `written` would show two.
double step_of_range(double least, double greatest) { return 10 * (greatest - least); }

std::string range_text(double least, double greatest, Writer written) {
  const double step = step_of_range(least, greatest);
  return fmt::format("{}–{}", written(least, step), written(greatest, step));
}

std::string spread_text(const Estimate& found, Writer written) {
  if (found.n == 1) return written(found.mean, 0);
  if (found.greatest == found.least)
    return fmt::format("{} (all {})", written(found.mean, 0), found.n);
  if (found.n < fewest_for_an_interval) {
    return fmt::format("{} ({})", written(found.mean, step_of_range(found.least, found.greatest)),
                       range_text(found.least, found.greatest, written));
  }
  // The mean has the decimals of its interval, which has two digits.
  const double half = *found.half_width;
  return fmt::format("{} ± {}", written(found.mean, half), written(half, half));
}

// An interval beside a number in scientific notation has two digits of its own.
std::string scientific_text(const Estimate& found) {
  if (found.n < fewest_for_an_interval || found.greatest == found.least)
    return spread_text(found, scientific);
  return fmt::format("{} ± {:.1e}", scientific(found.mean, *found.half_width), *found.half_width);
}

// From when on a run may have been at its target, and from when on it surely was.
struct Bracket {
  double least;
  double greatest;

  bool is_exact() const { return least == greatest; }
};

Bracket rounds_of(const Reached& reached) {
  return {static_cast<double>(reached.earliest), static_cast<double>(reached.round)};
}
Bracket bytes_of(const Reached& reached) {
  return {static_cast<double>(reached.fewest_bytes), static_cast<double>(reached.bytes_total)};
}

Bracket around(std::span<const Bracket> all) {
  return {std::ranges::min(all, {}, &Bracket::least).least,
          std::ranges::max(all, {}, &Bracket::greatest).greatest};
}

std::string bracket_text(const Bracket& bracket, Writer written) {
  return bracket.is_exact() ? written(bracket.greatest, 0)
                            : range_text(bracket.least, bracket.greatest, written);
}

std::string each_text(std::span<const Bracket> all, Writer written) {
  constexpr std::size_t most = 4;
  if (all.size() > most) return bracket_text(around(all), written);
  std::vector<std::string> texts;
  for (const Bracket& bracket : all) texts.push_back(bracket_text(bracket, written));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string all_text(std::span<const Bracket> all, Writer written) {
  if (!std::ranges::all_of(all, &Bracket::is_exact)) return bracket_text(around(all), written);
  std::vector<double> values(all.size());
  std::ranges::transform(all, values.begin(), &Bracket::greatest);
  return spread_text(estimate(values), written);
}

std::vector<Bracket> brackets_of(std::span<const RunDigest> runs,
                                 Bracket (*bracket_of)(const Reached&)) {
  std::vector<Bracket> brackets;
  for (const RunDigest& run : runs)
    if (const std::optional<Reached> reached = run.reached())
      brackets.push_back(bracket_of(*reached));
  return brackets;
}

}  // namespace

std::string readable_time(double seconds) {
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string readable_bytes(double bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string readable_count(double number) {
  std::string digits = fmt::format("{:.0f}", number);
  const std::size_t sign = number < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > sign + 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string rounds_text(std::span<const RunDigest> runs) {
  const std::vector<Bracket> reached = brackets_of(runs, rounds_of);
  if (reached.empty()) return "not reached";
  if (reached.size() == runs.size()) return all_text(reached, counted);
  return fmt::format("reached by {} of {}: {}", reached.size(), runs.size(),
                     each_text(reached, counted));
}

std::string bytes_text(std::span<const RunDigest> runs) {
  const std::vector<Bracket> reached = brackets_of(runs, bytes_of);
  if (reached.empty()) return "";
  return reached.size() == runs.size() ? all_text(reached, bytes_with_unit)
                                       : each_text(reached, bytes_with_unit);
}

std::string level_text(std::span<const RunDigest> runs) {
  for (const std::string_view outcome : {"diverged", "interrupted", "unfinished", "not run"}) {
    const auto count =
        static_cast<std::size_t>(std::ranges::count(runs, outcome, &RunDigest::outcome_name));
    if (count == runs.size()) return std::string(outcome);
    if (count > 0) return fmt::format("{} (in {} of {})", outcome, count, runs.size());
  }
  const std::optional<Estimate> level = estimate_of(runs, &RunDigest::level);
  if (!level) return "unknown";
  return runs.front().optimum_known() ? scientific_text(*level)
                                      : spread_text(*level, with_decimals);
}

std::string decimals_text(std::span<const RunDigest> runs, DigestNumber number) {
  const std::optional<Estimate> found = estimate_of(runs, number);
  return found ? spread_text(*found, with_decimals) : "";
}

std::string score_text(const CandidateScore& score, const TuneConfig& tune) {
  if (!score.score) return std::string(name_of(score.standing));
  if (!tune.read->ends_with("_to_target")) {
    return *tune.metric == "suboptimality" ? scientific_text(*score.score)
                                           : spread_text(*score.score, with_decimals);
  }
  const Writer written = *tune.read == "rounds_to_target" ? counted : bytes_with_unit;
  return score.earliest ? range_text(*score.earliest, score.score->greatest, written)
                        : spread_text(*score.score, written);
}

}  // namespace driftless
