#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driftless/cli/choice_options.hpp"

namespace driftless {

// What `driftless report` was asked for. Texts are empty where an option was not given.
struct ReportRequest : ChoiceRequest {
  std::vector<std::filesystem::path> folders;
  std::filesystem::path out;
  std::string format;
  std::vector<std::string> labels;
  std::vector<std::string> colours;
  std::string xlim;
  std::string ylim;
  int width = 0;  // of a picture; 0: not given
};

// All options of the command. The request must live as long.
void add_report_options(CLI::App* command, ReportRequest& request);

// The request with its format, its file and its choice filled in. Throws ConfigError where options
// contradict each other, and where one would do nothing: it is a mistake of whoever gave it.
ReportRequest completed(ReportRequest request);

}  // namespace driftless
