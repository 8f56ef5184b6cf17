#include "driftless/report/figure.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "driftless/base/child_process.hpp"
#include "driftless/base/error.hpp"
#include "driftless/base/file.hpp"
#include "driftless/experiment/metrics.hpp"
#include "driftless/record/csv.hpp"
#include "driftless/report/mean_curve.hpp"
#include "driftless/report/page.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

// A folder of our own in the system's place for such.
fs::path new_folder() {
  std::string name = (fs::temp_directory_path() / "driftless-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), "cannot create " + name);
  }
  return name;
}

// What a program printed, without the lines of Vega's bundles that Node.js quotes.
std::string told_in(const std::string& log) {
  constexpr std::size_t longest = 300;
  std::istringstream lines(log);
  std::string told;
  for (std::string line; std::getline(lines, line);)
    if (line.size() <= longest) told += line + '\n';
  return told;
}

// Runs a program in a folder with one file, `given`, and gives the file `made` that it leaves.
std::string made_by(const std::vector<std::string>& command, const char* package, const char* given,
                    std::string_view contents, const char* made) {
  const WorkFolder folder(new_folder());
  write_file_atomically(folder.path() / given, contents);
  const fs::path log = folder.path() / "log";
  const ChildEnd end = run_child(command, folder.path(), log, [] { return true; });
  if (end == ChildEnd::missing) {
    throw ConfigError(
        "this format needs {}, which is not there: apt-get install {}, or write a "
        "page, whose menu saves SVG and PNG",
        command.front(), package);
  }
  if (end != ChildEnd::succeeded) {
    throw std::runtime_error(
        fmt::format("{} failed:\n{}", command.front(), told_in(read_file(log))));
  }
  return read_file(folder.path() / made);
}

std::string number_text(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

}  // namespace

std::string figure_csv(const Comparison& comparison, const FigureChoice& choice) {
  const std::size_t metric = metric_index(choice.metric);
  const std::size_t against = metric_index(choice.against);
  std::vector<std::string> header = comparison.keys;
  header.insert(header.end(), {choice.against, choice.metric, "interval_95", "min", "max", "n"});
  std::string csv = csv_line(header);
  for (const RunGroup& group : comparison.groups) {
    if (!is_shown(group, comparison, choice)) continue;
    const MeanCurve curve = mean_curve(group.runs);
    for (std::size_t row = 0; row < curve.rows(); ++row) {
      if (std::isnan(curve.mean[metric][row])) continue;
      std::vector<std::string> fields = group.values;
      fields.push_back(number_text(curve.mean[against][row]));
      fields.push_back(number_text(curve.mean[metric][row]));
      fields.push_back(number_text(curve.half_width[metric][row]));
      fields.push_back(number_text(curve.least[metric][row]));
      fields.push_back(number_text(curve.greatest[metric][row]));
      fields.push_back(fmt::format("{}", curve.repetitions));
      csv += csv_line(fields);
    }
  }
  return csv;
}

std::string figure_svg(const nlohmann::ordered_json& data, int width) {
  // The bundles take the names of Node's module system for a sign that they are modules.
  const std::string script = fmt::format(
      R"((function (module, exports, define) {{
{}
{}
}}).call(globalThis);
{}
const data = {};
const look = {{width: {}, height: {}, dark: false, interactive: false}};
takeLabels(data.labels);
// Without a canvas Vega takes letters for so wide that panels stand far apart.
vega.textMetrics.width = (item, text) => 0.6 * item.fontSize * String(text).length;
const drawn = data.choice.y ? summarySpec(data, look) : figureSpec(data, firstChoice(data), look);
const spec = vegaLite.compile(drawn).spec;
// A hundredth of a pixel is enough.
const rounded = (path) => path.replace(/\d+\.\d{{3,}}/g, (number) => Number(number).toFixed(2));
new vega.View(vega.parse(spec), {{renderer: 'none'}}).toSVG()
  .then((svg) => require('fs').writeFileSync('figure.svg', svg.replace(/ d="[^"]*"/g, rounded) + '\n'));
)",
      page_asset("vega"), page_asset("vega-lite"), figure_scripts(), json_for_script(data), width,
      width * 5 / 8);
  return made_by({"node", "draw.js"}, "nodejs", "draw.js", script, "figure.svg");
}

std::string png_of(const std::string& svg) {
  return made_by({"rsvg-convert", "--zoom=2", "--output=figure.png", "figure.svg"}, "librsvg2-bin",
                 "figure.svg", svg, "figure.png");
}

std::string pdf_of(const std::string& svg) {
  return made_by({"rsvg-convert", "--format=pdf", "--output=figure.pdf", "figure.svg"},
                 "librsvg2-bin", "figure.svg", svg, "figure.pdf");
}

}  // namespace driftless
