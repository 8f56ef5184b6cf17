#pragma once

#include <set>
#include <string>
#include <vector>

#include "driftless/report/figure_choice.hpp"

namespace driftless {

// Recorded runs as a page, a figure or a table. The runs must live as long.
class Report {
 public:
  // Throws ConfigError where the runs do not have what is chosen.
  Report(const std::vector<RecordedRun>& runs, const FigureChoice& choice);

  // The methods that a figure of what runs came to has no place for.
  std::set<std::string> left_out() const;
  // As html, svg, png, pdf, csv or tex. Pictures are so many pixels wide; 0: as suits.
  std::string as(const std::string& format, int width = 0) const;

 private:
  bool is_summary() const { return !choice_.y.empty(); }

  const std::vector<RecordedRun>& runs_;
  Comparison comparison_;
  FigureChoice choice_;
};

}  // namespace driftless
