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

// What the axes of a figure show.
void add_axis_options(CLI::App* command, ReportRequest& request) {
  add_option(command, "--metric", request.choice.metric,
             "the column to show (default: suboptimality, or else loss); on the page, first",
             "COLUMN");
  add_option(command, "--against", request.choice.against,
             "round (default), gradients, passes, bytes_total, bytes_busiest or seconds", "COLUMN");
  add_option(command, "--y", request.choice.y,
             "instead of a metric, what runs came to: rounds_to_target, bytes_to_target, "
             "suboptimality or loss (level is either), test_accuracy, node_accuracy or "
             "worst_node_accuracy; "
             "with --x",
             "NAME");
  add_option(command, "--x", request.choice.x,
             "instead of a cost, a key in which the runs differ, as local_rate; with --y", "KEY");
  add_option(command, "--scale", request.scale,
             "log or linear (default: log where the metric spans more than a power of ten)",
             "NAME");
  add_option(command, "--ylim", request.ylim,
             "the ends of the vertical axis of a picture, one of which may be missing, as 0:1 or "
             "1e-6: (default: what suits the numbers)",
             "LOW:HIGH");
  add_option(command, "--xlim", request.xlim,
             "the ends of the horizontal axis (default: what suits the numbers)", "LOW:HIGH");
  add_option(command, "--band", request.choice.band,
             "what a picture shows of the repetitions beside their mean: interval (95 %, Student's "
             "t), range (least to greatest), runs (each), or none (default: runs for fewer than "
             "5, interval from 5 on)",
             "NAME");
}

}  // namespace

void add_report_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "report",
      "Make a page of runs: figures, table, network, provenance; or a figure or table for a paper");
  auto request = std::make_shared<ReportRequest>();
  add_option(command, "folders", request->folders,
             "the folders of runs or sweeps, also of those that go on; several are compared", "DIR")
      ->required();
  add_option(command, "-o,--out", request->out,
             "the file to write; its suffix tells the format (default: DIR/report.<format>)",
             "FILE");
  add_option(command, "--format", request->format,
             "html, the page; svg, png, pdf or csv, one figure of it; tex, its table for LaTeX "
             "(default: as the suffix of -o says, or html)",
             "NAME");
  add_axis_options(command, *request);
  add_option(command, "--label", request->labels,
             "what to call a value, a key or a column, as k-gt=\"K-GT\" or local_rate=\"η_c\" "
             "(default: its name); may be repeated",
             "NAME=TEXT")
      ->allow_extra_args(false);
  add_option(command, "--panels", request->choice.panels,
             "a panel for each value of this key, of all other keys (all), or none (default: all "
             "where that gives at most 12)",
             "KEY");
  add_option(command, "--only", request->only, "show only runs with this value; may be repeated",
             "KEY=VALUE")
      ->allow_extra_args(false);
  add_option(command, "--width", request->width, "of an svg, png or pdf, in pixels (default: 640)",
             "N")
      ->check(CLI::Range(200, 10000));
  command->footer(
      "An svg is drawn by Vega under Node.js (the Debian package nodejs), a png or pdf made of it "
      "by rsvg-convert (librsvg2-bin).");
  command->callback([request] { report_command(completed(std::move(*request))); });
}

}  // namespace driftless
