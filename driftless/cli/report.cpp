#include "driftless/base/file.hpp"
#include "driftless/cli/commands.hpp"
#include "driftless/cli/report_request.hpp"
#include "driftless/cli/work_notice.hpp"
#include "driftless/report/figure.hpp"
#include "driftless/report/latex_table.hpp"
#include "driftless/report/page.hpp"
#include "driftless/report/report_data.hpp"
#include "driftless/report/summary_figure.hpp"

namespace driftless {
namespace {

void tell_left_out(const Comparison& comparison, const FigureChoice& choice) {
  const std::set<std::string> methods = methods_without_place(comparison, choice);
  if (!methods.empty())
    say("not in the figure, without {}: {}\n", choice.x, fmt::join(methods, ", "));
}

std::string made(const ReportRequest& request, const std::vector<RecordedRun>& runs,
                 WorkNotice& notice) {
  constexpr int default_width = 640;
  notice.at(fmt::format("comparing {} runs", runs.size()));
  const Comparison comparison = compare(runs);
  const FigureChoice choice = checked(request.choice, comparison);
  if (request.format == "tex") return latex_table(comparison, choice);
  const bool summary = !choice.y.empty();
  if (request.format == "csv")
    return summary ? summary_csv(comparison, choice) : figure_csv(comparison, choice);
  const nlohmann::ordered_json data =
      summary ? summary_data(comparison, choice) : report_data(runs, comparison, choice);
  if (request.format == "html") return report_page(data);
  if (summary) tell_left_out(comparison, choice);
  notice.at("drawing the figure");
  std::string svg = figure_svg(data, request.width > 0 ? request.width : default_width);
  if (request.format == "svg") return svg;
  return request.format == "pdf" ? pdf_of(svg) : png_of(svg);
}

std::string made(const ReportRequest& request) {
  WorkNotice notice;
  const auto read = [&](std::size_t done, std::size_t all) {
    notice.at(fmt::format("read {} of {} runs", done, all));
  };
  return made(request, read_runs(request.folders, read), notice);
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
