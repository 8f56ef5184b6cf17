#include "driftless/report/report.hpp"

#include "driftless/report/figure.hpp"
#include "driftless/report/latex_table.hpp"
#include "driftless/report/page.hpp"
#include "driftless/report/report_data.hpp"
#include "driftless/report/summary_figure.hpp"

namespace driftless {

Report::Report(const std::vector<RecordedRun>& runs, const FigureChoice& choice)
    : runs_(runs), comparison_(compare(runs)), choice_(checked(choice, comparison_)) {}

std::set<std::string> Report::left_out() const {
  return is_summary() ? methods_without_place(comparison_, choice_) : std::set<std::string>();
}

std::string Report::as(const std::string& format, int width) const {
  constexpr int default_width = 640;
  if (format == "tex") return latex_table(comparison_, choice_);
  if (format == "csv") {
    return is_summary() ? summary_csv(comparison_, choice_) : figure_csv(comparison_, choice_);
  }
  const nlohmann::ordered_json data =
      is_summary() ? summary_data(comparison_, choice_) : report_data(runs_, comparison_, choice_);
  if (format == "html") return report_page(data);
  std::string svg = figure_svg(data, width > 0 ? width : default_width);
  if (format == "svg") return svg;
  if (format == "pdf") return pdf_of(svg);
  if (format == "png") return png_of(svg);
  throw ConfigError("there is no report as \"{}\": expected html, svg, png, pdf, csv or tex",
                    format);
}

}  // namespace driftless
