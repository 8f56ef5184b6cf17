#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driftless/experiment/metrics.hpp"
#include "driftless/network/weather.hpp"

namespace driftless {

// The line of a node: a digit for each column, from 0 where it never was so, to 9 where it always
// was.
struct RibbonLine {
  NodeId node = 0;
  std::string paused;
  std::string lost;
  std::vector<std::size_t> joins;  // the columns in which it came back

  bool operator==(const RibbonLine&) const = default;
};

// Who and what was down when, as far as a picture has room for it. Column c of C stands for the
// rounds from c · rounds / C up to those of the next one.
struct WeatherRibbon {
  NodeId nodes = 0;
  Round rounds = 0;                // that are shown, from the first on
  Round looked_at = 0;             // so many of them, evenly spread
  std::vector<double> links_down;  // in each column, on average: the share of the members' links
  NodeId nodes_out = 0;            // that were down at some time
  // Every node where there is room; else those that were down for longest, in ascending order. None
  // where no node was down.
  std::vector<RibbonLine> lines;
};

struct RibbonRoom {
  std::size_t columns = 600;
  std::size_t lines = 40;
  double draws = 4e7;  // about so many are taken; where they are too few, rounds are left out
};

// The weather of a run with these rows, up to the last round that it has done. Throws DataError
// where the rows tell of other weather.
WeatherRibbon weather_ribbon(const std::shared_ptr<const LinkSequence>& links,
                             const FaultOptions& faults, const Trace& trace,
                             std::span<const Metrics> met, const RibbonRoom& room = {});

}  // namespace driftless
