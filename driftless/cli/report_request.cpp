#include "driftless/cli/report_request.hpp"

#include <algorithm>

#include "driftless/base/error.hpp"
#include "driftless/base/text.hpp"
#include "driftless/report/run_number.hpp"

namespace driftless {
namespace {

using Names = std::vector<std::string_view>;

const Names formats = {"html", "svg", "png", "pdf", "csv", "tex"};
const Names pictures = {"svg", "png", "pdf"};
const Names figures = {"svg", "png", "pdf", "csv"};
const Names all_but_csv = {"html", "svg", "png", "pdf", "tex"};
const Names all_but_tex = {"html", "svg", "png", "pdf", "csv"};
const Names figures_and_pages = {"html", "svg", "png", "pdf"};

bool has(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

void check_one_of(const char* option, std::string_view given, const Names& names) {
  if (given.empty() || has(names, given)) return;
  throw ConfigError("{} {}: expected {}{}", option, given, either_of(names),
                    did_you_mean(nearest_names(given, names)));
}

// As --format or the suffix of the file says; they must not contradict each other.
std::string format_of(const ReportRequest& request) {
  check_one_of("--format", request.format, formats);
  if (request.out.empty()) return request.format.empty() ? "html" : request.format;
  const std::string out = request.out.string();
  const std::string dotted = request.out.extension().string();
  const std::string suffix = dotted.empty() ? "" : dotted.substr(1);
  if (request.format.empty()) {
    if (has(formats, suffix)) return suffix;
    throw ConfigError("-o {}: {}; expected {}, or a --format{}", out,
                      suffix.empty() ? "no suffix tells the format"
                                     : fmt::format("the suffix {} tells no format", suffix),
                      either_of(formats), did_you_mean(nearest_names(suffix, formats)));
  }
  if (has(formats, suffix) && suffix != request.format) {
    throw ConfigError("-o {} and --format {} contradict each other; leave one of them out", out,
                      request.format);
  }
  return request.format;
}

void check_effects(const ReportRequest& request) {
  const auto only_for = [&](const char* option, bool given, const Names& wanted) {
    if (!given || has(wanted, request.format)) return;
    throw ConfigError("{} means nothing for {}; it is for {}", option, request.format,
                      either_of(wanted));
  };
  only_for("--band", !request.choice.band.empty(), pictures);
  only_for("--xlim", !request.xlim.empty(), pictures);
  only_for("--ylim", !request.ylim.empty(), pictures);
  only_for("--label", !request.labels.empty(), all_but_csv);
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

}  // namespace

ReportRequest completed(ReportRequest request) {
  if (std::filesystem::is_directory(request.out)) {
    throw ConfigError("-o {}: is a folder; name a file in it", request.out.string());
  }
  request.format = format_of(request);
  check_one_of("--scale", request.scale, {"log", "linear"});
  check_one_of("--band", request.choice.band, {"interval", "range", "runs", "none"});
  check_effects(request);
  check_axes(request.choice);
  FigureChoice& choice = request.choice;
  choice.only = parse_pairs("--only", "KEY=VALUE, as in --only algorithm.kind=k-gt", request.only);
  choice.labels = parse_pairs("--label", "NAME=TEXT, as in --label k-gt=\"K-GT\"", request.labels);
  choice.x_limits = parse_limits("--xlim", request.xlim);
  choice.y_limits = parse_limits("--ylim", request.ylim);
  if (!request.scale.empty()) choice.log = request.scale == "log";
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
