#include "driftless/report/latex_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <regex>
#include <set>

#include "driftless/base/text.hpp"
#include "driftless/report/run_number.hpp"
#include "driftless/report/titles.hpp"

namespace driftless {
namespace {

struct Symbol {
  std::string_view text;
  std::string_view latex;
};

constexpr std::array symbols{
    Symbol{"\\", "\\textbackslash{}"},
    Symbol{"&", "\\&"},
    Symbol{"%", "\\%"},
    Symbol{"#", "\\#"},
    Symbol{"_", "\\_"},
    Symbol{"{", "\\{"},
    Symbol{"}", "\\}"},
    Symbol{"$", "\\$"},
    Symbol{"~", "\\textasciitilde{}"},
    Symbol{"^", "\\textasciicircum{}"},
    Symbol{"±", "$\\pm$"},
    Symbol{"–", "--"},
    Symbol{"−", "$-$"},
    Symbol{"…", "\\dots{}"},
    Symbol{"≤", "$\\le$"},
    Symbol{"≥", "$\\ge$"},
    Symbol{"²", "$^2$"},
    Symbol{"×", "$\\times$"},
};

constexpr std::array greek{
    Symbol{"α", "alpha"},   Symbol{"β", "beta"},   Symbol{"γ", "gamma"}, Symbol{"δ", "delta"},
    Symbol{"ε", "epsilon"}, Symbol{"ζ", "zeta"},   Symbol{"η", "eta"},   Symbol{"θ", "theta"},
    Symbol{"κ", "kappa"},   Symbol{"λ", "lambda"}, Symbol{"μ", "mu"},    Symbol{"ν", "nu"},
    Symbol{"ξ", "xi"},      Symbol{"π", "pi"},     Symbol{"ρ", "rho"},   Symbol{"σ", "sigma"},
    Symbol{"τ", "tau"},     Symbol{"φ", "phi"},    Symbol{"χ", "chi"},   Symbol{"ψ", "psi"},
    Symbol{"ω", "omega"},   Symbol{"Δ", "Delta"},  Symbol{"Σ", "Sigma"}, Symbol{"Ω", "Omega"},
};

const Symbol* begins_with_one_of(std::span<const Symbol> table, std::string_view text) {
  const auto found =
      std::ranges::find_if(table, [&](const Symbol& one) { return text.starts_with(one.text); });
  return found == table.end() ? nullptr : &*found;
}

// "η_c" is one formula. Takes what it sets off the text.
std::string formula_of(const Symbol& letter, std::string_view& text) {
  text.remove_prefix(letter.text.size());
  const auto is_index = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  if (text.size() < 2 || text[0] != '_' || !is_index(text[1]))
    return fmt::format("$\\{}$", letter.latex);
  const auto* const end = std::ranges::find_if_not(text.substr(1), is_index);
  const std::string_view index(text.begin() + 1, end);
  text.remove_prefix(1 + index.size());
  return fmt::format("$\\{}_{{{}}}$", letter.latex, index);
}

// "1.5e-05" as a formula: $1.5\times 10^{-5}$.
std::string with_powers(std::string_view text) {
  static const std::regex no_e(R"((\d)e[+-]?0+(?!\w))");  // 1.5e+00 is 1.5
  static const std::regex one_e(R"((^|[^\w.])1e\+?(-?)0*(\d+)(?!\w))");
  static const std::regex some_e(R"((^|[^\w.])(\d+(?:\.\d+)?)e\+?(-?)0*(\d+)(?!\w))");
  std::string powers = std::regex_replace(std::string(text), no_e, "$1");
  powers = std::regex_replace(powers, one_e, "$01$$10^{$2$3}$$");
  return std::regex_replace(powers, some_e, "$01$$$2\\times 10^{$3$4}$$");
}

struct LatexColumn {
  std::string heading;
  bool right = true;                                   // as numbers are set
  std::function<std::string(const RunGroup&)> text{};  // of a cell
};

// Keys that tell the groups apart, and what else each method was given.
bool is_told(const std::string& key, const Comparison& comparison) {
  return key.starts_with("algorithm.") || key.starts_with("schedule.") || key == "run.rounds" ||
         std::ranges::find(comparison.axes, key) != comparison.axes.end();
}

void add_keys(std::vector<LatexColumn>& columns, const Comparison& comparison,
              const FigureChoice& choice) {
  for (std::size_t k = 0; k < comparison.keys.size(); ++k) {
    const std::string& key = comparison.keys[k];
    if (!is_told(key, comparison) || choice.only.contains(key)) continue;
    const auto is_word = [&](const RunGroup& group) {
      return !group.values[k].empty() && !parse_number(group.values[k]);
    };
    const auto text = [k, &key, &labels = choice.labels](const RunGroup& group) {
      const std::string& value = group.values[k];
      return value.empty() ? "–" : title_of_value(key, value, labels);
    };
    columns.push_back(
        {title_of_key(key, choice.labels), std::ranges::none_of(comparison.groups, is_word), text});
  }
}

std::string target_of(const RunGroup& group) { return group.runs.front()->setting("run.target"); }

// "rounds to 0.1" where all groups have this target.
std::string heading_of(const RunNumber& number, const Pairs& labels,
                       const std::set<std::string>& targets) {
  const auto label = labels.find(std::string(number.name));
  if (label != labels.end()) return label->second;
  if (!number.to_target || targets.size() > 1) return std::string(number.heading);
  return fmt::format("{}{}", number.heading.substr(0, number.heading.rfind(' ') + 1),
                     *targets.begin());
}

void add_numbers(std::vector<LatexColumn>& columns, const Comparison& comparison,
                 const FigureChoice& choice) {
  std::set<std::string> targets;
  for (const RunGroup& group : comparison.groups)
    if (is_shown(group, comparison, choice)) targets.insert(target_of(group));
  if (targets.size() > 1) columns.push_back({"target", true, target_of});
  for (const RunNumber& number : run_numbers()) {
    const auto text = [&](const RunGroup& group) {
      const bool there = !number.to_target || !target_of(group).empty();
      return there ? number.text(group.digests) : "";
    };
    const auto has_text = [&](const RunGroup& group) {
      return is_shown(group, comparison, choice) && !text(group).empty();
    };
    if (std::ranges::any_of(comparison.groups, has_text))
      columns.push_back({heading_of(number, choice.labels, targets), true, text});
  }
}

std::string latex_line(const std::vector<std::string>& cells) {
  return fmt::format("{} \\\\\n", fmt::join(cells, " & "));
}

}  // namespace

std::string latex_text(std::string_view text) {
  const std::string powers = with_powers(text);
  std::string latex;
  for (std::string_view rest = powers; !rest.empty();) {
    if (const std::size_t end = rest.find('$', 1); rest[0] == '$' && end != rest.npos) {
      latex += rest.substr(0, end + 1);
      rest.remove_prefix(end + 1);
    } else if (const Symbol* const letter = begins_with_one_of(greek, rest)) {
      latex += formula_of(*letter, rest);
    } else if (const Symbol* const symbol = begins_with_one_of(symbols, rest)) {
      latex += symbol->latex;
      rest.remove_prefix(symbol->text.size());
    } else {
      latex += rest[0];
      rest.remove_prefix(1);
    }
  }
  return latex;
}

std::string latex_table(const Comparison& comparison, const FigureChoice& choice) {
  std::vector<LatexColumn> columns;
  add_keys(columns, comparison, choice);
  add_numbers(columns, comparison, choice);
  std::string alignment;
  std::vector<std::string> headings;
  for (const LatexColumn& column : columns) {
    alignment += column.right ? 'r' : 'l';
    headings.push_back(latex_text(column.heading));
  }
  std::string lines;
  for (const RunGroup& group : comparison.groups) {
    if (!is_shown(group, comparison, choice)) continue;
    std::vector<std::string> cells(columns.size());
    std::ranges::transform(columns, cells.begin(), [&](const LatexColumn& column) {
      return latex_text(column.text(group));
    });
    lines += latex_line(cells);
  }
  return fmt::format(
      "% needs \\usepackage{{booktabs}}. One run is told by its number, fewer than five by their "
      "mean and range, more by the\n"
      "% mean and half its 95 % interval (Student's t); final numbers are means over the last "
      "fifth "
      "of the rounds.\n"
      "\\begin{{tabular}}{{{}}}\n\\toprule\n{}\\midrule\n{}\\bottomrule\n\\end{{tabular}}\n",
      alignment, latex_line(headings), lines);
}

}  // namespace driftless
