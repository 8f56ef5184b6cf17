#include "driftless/record/how_far.hpp"

#include <fmt/format.h>

#include <cmath>

#include "driftless/record/result_text.hpp"

namespace driftless {
namespace {

// What a line tells, in its order; a text is empty where it is not known.
struct LineParts {
  std::string bar = {};
  std::string percent = {};
  std::string run = {};
  std::string round = {};
  std::string loss = {};
  std::string speed = {};
  std::string time_left = {};

  std::string joined() const {
    std::string text;
    for (const std::string* part : {&bar, &percent, &run, &round, &loss, &speed, &time_left}) {
      if (!part->empty()) text += fmt::format("{}{}", text.empty() ? "" : "  ", *part);
    }
    return text;
  }
};

LineParts parts_of(const HowFar& far) {
  constexpr std::size_t width = 24;
  const Round here = far.done - far.done_before;  // rounds of this program
  const double rate = static_cast<double>(here) / far.seconds;
  const auto filled = std::min(width, static_cast<std::size_t>(far.share() * width));
  LineParts parts;
  parts.bar = fmt::format("[{:.<{}}]", std::string(filled, '#'), width);
  parts.percent = fmt::format("{:3.0f} %", std::floor(100 * far.share()));
  if (far.runs > 1)
    parts.run = fmt::format("run {}/{}", std::min(far.ended + 1, far.runs), far.runs);
  parts.round = fmt::format("round {}/{}", far.done, far.rounds);
  if (far.loss) parts.loss = fmt::format("loss {:.4g}", *far.loss);
  parts.speed = fmt::format("{} rounds/s",
                            rate < 100 ? fmt::format("{:.3g}", rate) : fmt::format("{:.0f}", rate));
  // A smaller share is too little to guess from: the first evaluation would count for too much.
  if (here > 0 && 50 * here > far.rounds - far.done_before) {
    const double seconds = static_cast<double>(far.rounds - far.done) / rate;
    parts.time_left = fmt::format("{} left", readable_time(seconds));
  }
  return parts;
}

}  // namespace

std::string HowFar::text() const {
  LineParts parts = parts_of(*this);
  parts.bar.clear();
  parts.percent.clear();
  return parts.joined();
}

std::string HowFar::line(std::size_t columns) const {
  const LineParts all = parts_of(*this);
  LineParts shown;
  using P = LineParts;
  // The most important first; what no longer fits is left out.
  for (std::string P::*part :
       {&P::percent, &P::time_left, &P::bar, &P::run, &P::round, &P::loss, &P::speed}) {
    shown.*part = all.*part;
    if (shown.joined().size() > columns) (shown.*part).clear();
  }
  return shown.joined();
}

}  // namespace driftless
