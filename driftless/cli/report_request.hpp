#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driftless/report/figure_choice.hpp"

namespace driftless {

// What `driftless report` was asked for. Texts are empty where an option was not given.
struct ReportRequest {
  std::vector<std::filesystem::path> folders;
  std::filesystem::path out;
  std::string format;
  FigureChoice choice;
  std::vector<std::string> only;
  std::vector<std::string> labels;
  std::string scale;
  std::string xlim;
  std::string ylim;
  int width = 0;  // of a picture; 0: not given

  bool is_picture() const { return format == "svg" || format == "png" || format == "pdf"; }
};

// The request with its format, its file and its choice filled in. Throws ConfigError where options
// contradict each other, and where one would do nothing: it is a mistake of whoever gave it.
ReportRequest completed(ReportRequest request);

}  // namespace driftless
