#include "driftless/report/split_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace driftless {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    out += letter == '&'   ? "&amp;"
           : letter == '<' ? "&lt;"
           : letter == '>' ? "&gt;"
                           : std::string(1, letter);
  }
  return out;
}

// Pixels. A column or row gets narrower rather than the picture wider than a page.
struct Layout {
  Layout(std::string_view title, std::size_t nodes, const std::vector<std::string>& class_names)
      : column(cell(nodes)), row(cell(class_names.size())) {
    for (const std::string& name : class_names) left = std::max(left, 50 + 7.0 * name.size());
    constexpr double letter = 9;  // of the title
    width = left + std::max(column * static_cast<double>(nodes), letter * title.size()) + 30;
    bottom = top + row * static_cast<double>(class_names.size());
  }

  double x(std::size_t node) const { return left + column * (static_cast<double>(node) + 0.5); }
  double y(std::size_t k) const { return bottom - row * (static_cast<double>(k) + 0.5); }

  double column;
  double row;
  double left = 60;
  double top = 56;
  double width = 0;
  double bottom = 0;

 private:
  static double cell(std::size_t count) {
    constexpr double widest = 36;
    constexpr double page = 1100;
    return std::clamp(page / static_cast<double>(count), 2.0, widest);
  }
};

// Every how many columns a label has room.
std::size_t label_step(double cell, double label) {
  std::size_t step = 1;
  for (const std::size_t factor : {2, 5, 10, 20, 50, 100, 200, 500, 1000}) {
    if (static_cast<double>(step) * cell >= label) break;
    step = factor;
  }
  return step;
}

// A dot for each class and node that has it; the area tells how many samples, `most` at most.
std::string dots(const Layout& at, const std::vector<std::string>& class_names,
                 const SplitCounts& counts, std::int64_t most) {
  const double largest = 0.46 * std::min(at.column, at.row);
  std::string svg;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (std::size_t k = 0; k < class_names.size(); ++k) {
      if (counts[i][k] == 0) continue;
      const double radius =
          largest * std::sqrt(static_cast<double>(counts[i][k]) / static_cast<double>(most));
      fmt::format_to(std::back_inserter(svg),
                     "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.2f}\">"
                     "<title>node {}, class {}: {}</title></circle>\n",
                     at.x(i), at.y(k), radius, i, escaped(class_names[k]), counts[i][k]);
    }
  }
  return svg;
}

}  // namespace

std::string split_plot(std::string_view title, const std::vector<std::string>& class_names,
                       const SplitCounts& counts) {
  const std::size_t nodes = counts.size();
  const std::size_t classes = class_names.size();
  const Layout at(title, nodes, class_names);
  const double right = at.left + at.column * static_cast<double>(nodes);
  const double height = at.bottom + 72;
  std::int64_t most = 1;
  for (const auto& node : counts) most = std::max(most, std::ranges::max(node));
  const double node_label = 8.0 * static_cast<double>(std::to_string(nodes).size()) + 8;

  std::string svg;
  auto out = std::back_inserter(svg);
  fmt::format_to(out,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
                 "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"system-ui, sans-serif\" "
                 "font-size=\"12\" fill=\"#333333\">\n"
                 "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
                 "<text x=\"{2:.0f}\" y=\"30\" font-size=\"15\" font-weight=\"600\">{3}</text>\n",
                 at.width, height, at.left, escaped(title));

  const auto grid = [&](double x1, double y1, double x2, double y2) {
    fmt::format_to(out, "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", x1, y1,
                   x2, y2);
  };
  svg += "<g stroke=\"#e6e6e6\">\n";
  for (std::size_t k = 0; k < classes; ++k) grid(at.left, at.y(k), right, at.y(k));
  svg += "</g>\n<g stroke=\"#888888\">\n";
  grid(at.left, at.bottom, right, at.bottom);
  grid(at.left, at.top, at.left, at.bottom);
  svg += "</g>\n<g text-anchor=\"middle\">\n";
  for (std::size_t i = 0; i < nodes; i += label_step(at.column, node_label)) {
    fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", at.x(i), at.bottom + 18, i);
  }
  fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{:.1f}\">node</text>\n", (at.left + right) / 2,
                 at.bottom + 38);
  fmt::format_to(out, "<text transform=\"translate(18 {:.1f}) rotate(-90)\">class</text>\n</g>\n",
                 (at.top + at.bottom) / 2);
  svg += "<g text-anchor=\"end\">\n";
  for (std::size_t k = 0; k < classes; k += label_step(at.row, 14)) {
    fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", at.left - 8, at.y(k) + 4,
                   escaped(class_names[k]));
  }
  svg += "</g>\n<g fill=\"#2f6fb3\" fill-opacity=\"0.85\">\n" + dots(at, class_names, counts, most);
  fmt::format_to(out,
                 "</g>\n<text x=\"{:.0f}\" y=\"{:.1f}\" fill=\"#777777\">"
                 "area: samples; the largest dot is {}</text>\n</svg>\n",
                 at.left, at.bottom + 60, most);
  return svg;
}

}  // namespace driftless
