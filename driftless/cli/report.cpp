#include "driftless/report/report.hpp"
#include "driftless/base/file.hpp"
#include "driftless/cli/commands.hpp"
#include "driftless/cli/report_request.hpp"
#include "driftless/cli/work_notice.hpp"

namespace driftless {
namespace {

std::string made(const ReportRequest& request) {
  WorkNotice notice;
  const auto read = [&](std::size_t done, std::size_t all) {
    notice.at(fmt::format("read {} of {} runs", done, all));
  };
  const std::vector<RecordedRun> runs = read_runs(request.folders, read);
  notice.at(fmt::format("comparing {} runs", runs.size()));
  const Report report(runs, request.choice);
  if (request.format == "svg" || request.format == "png" || request.format == "pdf") {
    const std::set<std::string> left_out = report.left_out();
    if (!left_out.empty())
      say("not in the figure, without {}: {}\n", request.choice.x, fmt::join(left_out, ", "));
    notice.at("drawing the figure");
  }
  return report.as(request.format, request.width);
}

void report_command(const ReportRequest& request) {
  write_file_atomically(request.out, made(request));
  fmt::print("written to {}\n", request.out.string());
}

}  // namespace

void add_report_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "report",
      "Make a page of runs: figures, table, network, provenance; or a figure or table for a paper");
  auto request = std::make_shared<ReportRequest>();
  add_report_options(command, *request);
  command->footer(
      "An svg is drawn by Vega under Node.js (the Debian package nodejs), a png or pdf made of it "
      "by rsvg-convert (librsvg2-bin).");
  command->callback([request] { report_command(completed(*request)); });
}

}  // namespace driftless
