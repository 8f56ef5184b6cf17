#include "driftless/base/file.hpp"
#include "driftless/base/text.hpp"
#include "driftless/cli/checks.hpp"
#include "driftless/experiment/metrics.hpp"
#include "driftless/report/figure.hpp"
#include "driftless/report/page.hpp"
#include "driftless/report/report_data.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

struct ReportRequest {
  std::vector<fs::path> folders;
  fs::path out;
  std::string format = "html";
  FigureChoice choice;
  std::vector<std::string> only;
  std::string scale;
  int width = 0;  // of a picture; 0: not given
};

std::vector<std::string> cost_columns() {
  std::vector<std::string> names;
  for (const MetricColumn& column : metric_columns())
    if (column.is_cost) names.emplace_back(column.name);
  return names;
}

// An option that would do nothing is a mistake of whoever gave it.
void check_options(const ReportRequest& request) {
  const auto refuse = [&](const char* option, const char* formats) {
    throw ConfigError("{} means nothing with --format {}; it is for {}", option, request.format,
                      formats);
  };
  const bool picture = request.format == "svg" || request.format == "png";
  if (request.width != 0 && !picture) refuse("--width", "svg and png");
  if (request.format != "csv") return;
  if (!request.scale.empty()) refuse("--scale", "html, svg and png");
  if (!request.choice.panels.empty()) refuse("--panels", "html, svg and png");
}

std::string made(const ReportRequest& request, const std::vector<RecordedRun>& runs) {
  constexpr int default_width = 640;
  const Comparison comparison = compare(runs);
  const FigureChoice choice = checked(request.choice, comparison);
  if (request.format == "csv") return figure_csv(comparison, choice);
  const nlohmann::ordered_json data = report_data(runs, comparison, choice);
  if (request.format == "html") return report_page(data);
  std::string svg = figure_svg(data, request.width > 0 ? request.width : default_width);
  return request.format == "svg" ? svg : png_of(svg);
}

void report_command(ReportRequest& request) {
  check_options(request);
  request.choice.only = parse_only(request.only);
  if (!request.scale.empty()) request.choice.log = request.scale == "log";
  if (request.out.empty()) request.out = request.folders.front() / ("report." + request.format);
  if (fs::is_directory(request.out)) {
    throw ConfigError("-o {}: is a folder; name a file in it", request.out.string());
  }
  write_file_atomically(request.out, made(request, read_runs(request.folders)));
  fmt::print("written to {}\n", request.out.string());
}

}  // namespace

void add_report_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "report", "Make a page of runs: figures, table, network, provenance; or one figure");
  auto request = std::make_shared<ReportRequest>();
  add_option(command, "folders", request->folders,
             "the folders of runs or sweeps, also of those that go on; several are compared", "DIR")
      ->required();
  add_option(command, "-o,--out", request->out, "the file to write (default: DIR/report.<format>)",
             "FILE");
  add_option(command, "--format", request->format,
             "html (default), the page; svg, png or csv, one figure of it", "NAME")
      ->check(takes_one_of({"html", "svg", "png", "csv"}));
  add_option(command, "--metric", request->choice.metric,
             "the column to show (default: suboptimality, or else loss); on the page, first",
             "COLUMN");
  add_option(command, "--against", request->choice.against,
             fmt::format("the cost to show it against: {} (default: round)",
                         either_of(views_of(cost_columns()))),
             "COLUMN")
      ->check(takes_one_of(cost_columns()));
  add_option(command, "--scale", request->scale,
             "log or linear (default: log where the metric spans more than a power of ten)", "NAME")
      ->check(takes_one_of({"log", "linear"}));
  add_option(command, "--panels", request->choice.panels,
             "a panel for each value of this key, of all other keys (all), or none (default: all "
             "where that gives at most 12); kind or algorithm.kind, all one",
             "KEY");
  add_option(command, "--only", request->only,
             "show only runs with this value, as kind=k-gt; may be repeated", "KEY=VALUE")
      ->allow_extra_args(false);
  add_option(command, "--width", request->width,
             "of an svg or png, in pixels, 200 to 10000 (default: 640)", "N")
      ->check(takes_integer(200, 10000));
  command->footer(
      "An svg is drawn by Vega under Node.js (the Debian package nodejs), a png made of it by "
      "rsvg-convert (librsvg2-bin).");
  command->callback([request] { report_command(*request); });
}

}  // namespace driftless
