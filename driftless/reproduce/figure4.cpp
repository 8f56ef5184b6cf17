#include <fmt/format.h>

#include <algorithm>

#include "driftless/base/file.hpp"
#include "driftless/data/load.hpp"
#include "driftless/data/split.hpp"
#include "driftless/report/split_plot.hpp"
#include "driftless/reproduce/reproduction.hpp"

namespace driftless {
namespace {

constexpr NodeId nodes = 10;

// The first training image, a square for each pixel.
std::string digit_picture(const Images& images) {
  constexpr int side = 8;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" "
      "shape-rendering=\"crispEdges\">\n<rect width=\"100%\" height=\"100%\"/>\n",
      images.columns * side, images.rows * side);
  const std::uint8_t* pixels = images[0];
  for (int row = 0; row < images.rows; ++row) {
    for (int column = 0; column < images.columns; ++column) {
      const int grey = pixels[row * images.columns + column];
      if (grey == 0) continue;
      svg += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"rgb({},{},{})\"/>\n",
          column * side, row * side, side, side, grey, grey, grey);
    }
  }
  return svg + "</svg>\n";
}

SplitCounts split_and_draw(const Dataset& data, Split split, const std::filesystem::path& folder) {
  const std::string name(name_of(split));
  SplitCounts counts = count_classes(data, make_split(data, nodes, {.split = split}));
  write_file_atomically(
      folder / fmt::format("{}.svg", name),
      split_plot(fmt::format("mnist over {} nodes, {}", nodes, name), data.class_names, counts));
  return counts;
}

Claim counted(std::string statement, std::string measured, bool holds) {
  return {.statement = std::move(statement),
          .measured = std::move(measured),
          .verdict = holds ? Verdict::holds : Verdict::does_not_hold};
}

}  // namespace

// Counts, not samples of anything: they hold or they do not.
std::vector<Claim> figure4_claims(Evidence& evidence) {
  const std::filesystem::path folder = evidence.folder() / "fig4";
  const Dataset data = load_data("mnist").train;
  write_file_atomically(folder / "digit.svg", digit_picture(*data.images()));
  const SplitCounts sorted = split_and_draw(data, Split::sorted, folder);
  const SplitCounts random = split_and_draw(data, Split::random, folder);

  std::size_t most_classes = 0;
  std::size_t most_nodes = 0;
  for (const auto& node : sorted) {
    const auto classes = node.size() - static_cast<std::size_t>(std::ranges::count(node, 0));
    most_classes = std::max(most_classes, classes);
  }
  double largest = 0;
  for (std::size_t k = 0; k < sorted.front().size(); ++k) {
    std::size_t holders = 0;
    double samples = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      holders += sorted[i][k] > 0 ? 1 : 0;
      samples += static_cast<double>(random[i][k]);
    }
    most_nodes = std::max(most_nodes, holders);
    for (const auto& node : random)
      largest = std::max(largest, static_cast<double>(node[k]) / samples);
  }
  return {counted("sorted: a node has images of one label", fmt::format("at most {}", most_classes),
                  most_classes == 1),
          counted("sorted: no label is on two nodes", fmt::format("on at most {}", most_nodes),
                  most_nodes == 1),
          counted("random: every node has about a tenth of every label (less than 0.12)",
                  fmt::format("at most {:.4f}", largest), largest < 0.12)};
}

}  // namespace driftless
