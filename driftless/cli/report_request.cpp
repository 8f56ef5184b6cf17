#include "driftless/cli/report_request.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "driftless/base/error.hpp"
#include "driftless/base/text.hpp"
#include "driftless/cli/checks.hpp"
#include "driftless/report/run_number.hpp"

namespace driftless {
namespace {

using Formats = std::span<const std::string_view>;
template <std::size_t Count>
using FormatList = std::array<std::string_view, Count>;

constexpr FormatList<6> formats = {"html", "svg", "png", "pdf", "csv", "tex"};
constexpr FormatList<3> pictures = {"svg", "png", "pdf"};
constexpr FormatList<4> figures = {"svg", "png", "pdf", "csv"};
constexpr FormatList<4> figures_and_pages = {"html", "svg", "png", "pdf"};
constexpr FormatList<5> all_but_csv = {"html", "svg", "png", "pdf", "tex"};
constexpr FormatList<5> all_but_tex = {"html", "svg", "png", "pdf", "csv"};

bool has(Formats names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// As --format or the suffix of the file says; they must not contradict each other.
std::string format_of(const ReportRequest& request) {
  if (request.out.empty()) return request.format.empty() ? "html" : request.format;
  const std::string out = request.out.string();
  const std::string dotted = request.out.extension().string();
  std::string suffix = dotted.empty() ? "" : dotted.substr(1);
  if (request.format.empty()) {
    if (has(formats, suffix)) return suffix;
    throw ConfigError("-o {}: {}; expected {}, or a --format{}", out,
                      suffix.empty() ? "no suffix tells the format"
                                     : fmt::format("the suffix {} tells no format", suffix),
                      either_of(formats), suggestion(suffix, formats));
  }
  if (has(formats, suffix) && suffix != request.format) {
    throw ConfigError("-o {} and --format {} contradict each other; leave one of them out", out,
                      request.format);
  }
  return request.format;
}

void check_effects(const ReportRequest& request) {
  const auto only_for = [&](const char* option, bool given, Formats wanted) {
    if (!given || has(wanted, request.format)) return;
    throw ConfigError("{} means nothing for {}; it is for {}", option, request.format,
                      either_of(wanted));
  };
  only_for("--band", !request.choice.band.empty(), pictures);
  only_for("--xlim", !request.xlim.empty(), pictures);
  only_for("--ylim", !request.ylim.empty(), pictures);
  only_for("--label", !request.labels.empty(), all_but_csv);
  only_for("--colour", !request.colours.empty(), figures_and_pages);
  only_for("--width", request.width != 0, pictures);
  only_for("--metric", !request.choice.metric.empty(), all_but_tex);
  only_for("--against", !request.choice.against.empty(), all_but_tex);
  only_for("--y", !request.choice.y.empty(), figures);
  only_for("--x", !request.choice.x.empty(), figures);
  only_for("--scale", !request.scale.empty(), figures_and_pages);
  only_for("--panels", !request.choice.panels.empty(), figures_and_pages);
}

// A figure is of rows or of what runs came to.
void check_axes(const FigureChoice& choice) {
  const auto exclude = [](const char* one, const std::string& a, const char* other,
                          const std::string& b) {
    if (a.empty() || b.empty()) return;
    throw ConfigError("{} {} and {} {} contradict each other; leave one of them out", one, a, other,
                      b);
  };
  exclude("--y", choice.y, "--metric", choice.metric);
  exclude("--x", choice.x, "--against", choice.against);
  if (choice.x.empty() && !choice.y.empty())
    throw ConfigError("--y {} needs --x: a key in which the runs differ", choice.y);
  if (choice.y.empty() && !choice.x.empty()) {
    throw ConfigError("--x {} needs --y: {}", choice.x, either_of(names_of(run_numbers())));
  }
}

// What the axes of a figure show.
void add_axis_options(CLI::App* command, ReportRequest& request) {
  add_option(command, "--y", request.choice.y,
             fmt::format("instead of a metric, what runs came to: {}; level is suboptimality or "
                         "loss; with --x",
                         either_of(names_of(run_numbers()))),
             "NAME")
      ->check(takes_one_of(names_of<std::string>(run_numbers())));
  add_option(command, "--x", request.choice.x,
             "instead of a cost, a key in which the runs differ, as local_rate; with --y", "KEY");
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
             "NAME")
      ->check(takes_one_of({"interval", "range", "runs", "none"}));
}

}  // namespace

void add_report_options(CLI::App* command, ReportRequest& request) {
  add_option(command, "folders", request.folders,
             "the folders of runs or sweeps, also of those that go on; several are compared", "DIR")
      ->required();
  add_option(command, "-o,--out", request.out,
             "the file to write; its suffix tells the format (default: DIR/report.<format>)",
             "FILE");
  add_option(command, "--format", request.format,
             "html, the page; svg, png, pdf or csv, one figure of it; tex, its table for LaTeX "
             "(default: as the suffix of -o says, or html)",
             "NAME")
      ->check(takes_one_of({formats.begin(), formats.end()}));
  add_choice_options(command, request);
  add_axis_options(command, request);
  add_option(command, "--label", request.labels,
             "what to call a value, a key or a column, as k-gt=\"K-GT\" or local_rate=\"η_c\" "
             "(default: its name); may be repeated",
             "NAME=TEXT")
      ->allow_extra_args(false);
  add_option(
      command, "--colour", request.colours,
      "of the lines of a value, as k-gt=red or d-sgd=#1f77b4 (default: the same for a method "
      "on every page); may be repeated",
      "VALUE=COLOUR")
      ->allow_extra_args(false);
  add_option(command, "--width", request.width,
             "of an svg, png or pdf, in pixels, 200 to 10000 (default: 640)", "N")
      ->check(takes_integer(200, 10000));
}

ReportRequest completed(ReportRequest request) {
  if (std::filesystem::is_directory(request.out)) {
    throw ConfigError("-o {}: is a folder; name a file in it", request.out.string());
  }
  request.format = format_of(request);
  check_effects(request);
  check_axes(request.choice);
  FigureChoice& choice = request.choice = choice_of(request);
  choice.labels = parse_pairs("--label", "NAME=TEXT, as in --label k-gt=\"K-GT\"", request.labels);
  choice.colours =
      parse_pairs("--colour", "VALUE=COLOUR, as in --colour k-gt=red", request.colours);
  choice.x_limits = parse_limits("--xlim", request.xlim);
  choice.y_limits = parse_limits("--ylim", request.ylim);
  const auto lets_in_zero = [](const std::optional<double>& end) { return end && *end <= 0; };
  if (std::ranges::any_of(choice.y_limits, lets_in_zero)) {
    if (choice.log == true)
      throw ConfigError("--ylim {} and --scale log contradict each other: it begins above 0",
                        request.ylim);
    choice.log = false;
  }
  if (request.out.empty()) request.out = request.folders.front() / ("report." + request.format);
  return request;
}

}  // namespace driftless
