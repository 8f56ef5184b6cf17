#include "driftless/base/file.hpp"
#include "driftless/cli/checks.hpp"
#include "driftless/cli/choice_options.hpp"
#include "driftless/report/figure.hpp"
#include "driftless/report/page.hpp"
#include "driftless/report/report_data.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

struct ReportRequest : ChoiceRequest {
  std::vector<fs::path> folders;
  fs::path out;
  std::string format = "html";
  int width = 0;  // of a picture; 0: not given
};

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
  const FigureChoice choice = checked(choice_of(request), comparison);
  if (request.format == "csv") return figure_csv(comparison, choice);
  const nlohmann::ordered_json data = report_data(runs, comparison, choice);
  if (request.format == "html") return report_page(data);
  std::string svg = figure_svg(data, request.width > 0 ? request.width : default_width);
  return request.format == "svg" ? svg : png_of(svg);
}

void report_command(ReportRequest& request) {
  check_options(request);
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
  add_choice_options(command, *request);
  add_option(command, "--width", request->width,
             "of an svg or png, in pixels, 200 to 10000 (default: 640)", "N")
      ->check(takes_integer(200, 10000));
  command->footer(
      "An svg is drawn by Vega under Node.js (the Debian package nodejs), a png made of it by "
      "rsvg-convert (librsvg2-bin).");
  command->callback([request] { report_command(*request); });
}

}  // namespace driftless
