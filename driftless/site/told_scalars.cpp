#include "driftless/site/told_scalars.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

#include "driftless/base/regular_file.hpp"
#include "driftless/base/text.hpp"

namespace driftless {
namespace {

constexpr const char* scalars_file = "sites.csv";
constexpr std::string_view header = "round,site,loss,test_loss,test_accuracy,samples\n";
using Scalars = std::array<double, 4>;  // those of the header

constexpr double none = std::numeric_limits<double>::quiet_NaN();

template <class Real>
Scalars measured(const Problem<Real>& problem, NodeId node, const ConstVectorView<Real>& model) {
  Scalars scalars{problem.loss(node, model), none, none, none};
  const Learning<Real>* learning = problem.learning();
  if (learning == nullptr) return scalars;
  scalars[3] = static_cast<double>(learning->samples(node));
  if (learning->tests() == Tests::none) return scalars;
  const Tally tally = learning->test(node, model);
  if (tally.samples == 0) return scalars;
  scalars[1] = tally.mean_loss();
  if (learning->classifies()) scalars[2] = tally.accuracy();
  return scalars;
}

std::string lines_up_to(const Folder& folder, std::optional<Round> round) {
  std::string lines(header);
  if (!round || !folder.has(scalars_file)) return lines;
  std::istringstream before(read_file(folder.where() / scalars_file));
  for (std::string line; std::getline(before, line);) {
    const auto of = parse_integer(std::string_view(line).substr(0, line.find(',')));
    if (of && *of <= *round) lines += line + "\n";
  }
  return lines;
}

}  // namespace

ToldScalars::ToldScalars(const Folder& folder, const std::vector<std::string>& sites,
                         std::optional<Round> goes_on_after)
    : sites_(sites), file_(folder, scalars_file, lines_up_to(folder, goes_on_after)) {}

template <class Real>
void ToldScalars::tell(Round round, const Problem<Real>& problem, const Algorithm<Real>& method,
                       peers::Assembly& assembly) {
  const NodeId own = assembly.own();
  const Scalars scalars = measured<Real>(problem, own, method.models()[own]);
  peers::Body body(sizeof scalars);
  std::memcpy(body.data(), scalars.data(), sizeof scalars);
  const std::vector<std::size_t> sizes(sites_.size(), sizeof scalars);
  const std::vector<peers::Body> all = assembly.tell_all(std::move(body), sizes);
  for (std::size_t k = 0; k < sites_.size(); ++k) {
    Scalars of_site;
    std::memcpy(of_site.data(), all[k].data(), sizeof of_site);
    std::vector<std::string> fields{std::to_string(round), sites_[k]};
    for (const double each : of_site)
      fields.push_back(std::isnan(each) ? "" : fmt::format("{}", each));
    file_.append(csv_line(fields));
  }
  file_.flush();
}

template void ToldScalars::tell(Round, const Problem<float>&, const Algorithm<float>&,
                                peers::Assembly&);
template void ToldScalars::tell(Round, const Problem<double>&, const Algorithm<double>&,
                                peers::Assembly&);

}  // namespace driftless
